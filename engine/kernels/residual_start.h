#pragma once

#include "engine/kernels/activations.h"
#include "engine/vulkan/recorder.h"

namespace engine {

/// The residual stream x of the papers, with what its next RMSNorm needs: whoever writes a row also
/// writes the row times the norm's weight and sums of squares; whoever reads scales its result.
struct ResidualStream {
    const Activations& residual; ///< [tokens, embeddingLength]
    const Activations& scaled; ///< [tokens, embeddingLength]: residual * weight of the next norm
    const Activations& squares; ///< [tokens, squaresCount]: partial sums, zero past the last
    uint32_t squaresCount = 0; ///< MatmulResidual::squaresCount
    float epsilon = 0.0f;
};

struct ResidualStartOptions {
    const ResidualStream& stream;
    const Activations& weight; ///< [1, embeddingLength] of the first norm
};

/// Makes scaled and squares from a residual that something else wrote (the embedding).
class ResidualStart {
public:
    static Result<ResidualStart> create(KernelContext& context, const ResidualStartOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    ResidualStart(const ResidualStartOptions& options, const vk::ComputePipeline& pipeline, vk::BindingSet set)
        : m_options(options)
        , m_pipeline(&pipeline)
        , m_set(std::move(set))
    {
    }

    ResidualStartOptions m_options;
    const vk::ComputePipeline* m_pipeline;
    vk::BindingSet m_set;
};

} // namespace engine
