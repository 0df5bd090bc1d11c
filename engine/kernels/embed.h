#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/vulkan/recorder.h"

#include <vector>

namespace engine {

struct EmbedOptions {
    const WeightMatrix& weights; ///< [vocabulary, embeddingLength]
    const BatchRows& rows;
    const Activations& y; ///< [tokens, embeddingLength]
    float scale = 1.0f;
};

/// y[t] = scale * the embedding of row t's token.
class Embed {
public:
    static Result<Embed> create(KernelContext& context, const EmbedOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    explicit Embed(const EmbedOptions& options)
        : m_options(options)
    {
    }

    struct Part {
        uint32_t firstRow;
        uint32_t rowCount;
        vk::BindingSet set;
    };
    EmbedOptions m_options;
    const vk::ComputePipeline* m_pipeline = nullptr;
    std::vector<Part> m_parts;
};

} // namespace engine
