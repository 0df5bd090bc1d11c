#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/vulkan/recorder.h"

namespace engine {

struct RmsNormOptions {
    const Activations& x; ///< [tokens, columns]
    const Activations& weight; ///< [1, columns]
    const Activations& y; ///< [tokens, columns]
    float epsilon = 0.0f;
    const BatchRows& rows;
    bool adds = false; ///< to y instead of storing
    bool scoredOnly = false; ///< row t of y comes from the t-th scored row of x
};

/// y[t] (+)= x[t] / rms(x[t]) * weight. Source: Zhang & Sennrich 2019 (RMSNorm).
class RmsNorm {
public:
    static Result<RmsNorm> create(KernelContext& context, const RmsNormOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    RmsNorm(const RmsNormOptions& options, const vk::ComputePipeline& pipeline, vk::BindingSet set)
        : m_options(options)
        , m_pipeline(&pipeline)
        , m_set(std::move(set))
    {
    }

    RmsNormOptions m_options;
    const vk::ComputePipeline* m_pipeline;
    vk::BindingSet m_set;
};

} // namespace engine
