#pragma once

#include "engine/kernels/attention.h"
#include "engine/kernels/gate_up.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/normed_products.h"
#include "engine/kernels/rms_norm.h"
#include "engine/kernels/rope_store.h"
#include "engine/kernels/whole_layer.h"
#include "engine/model/operation_marks.h"
#include "engine/model/pass_buffers.h"

#include <optional>
#include <vector>

namespace engine {

/// The operations of one layer, bound to its weights. record reads like the paper.
class LayerKernels {
public:
    struct Options {
        const ModelConfig& config;
        uint32_t layer = 0;
        const DeviceWeights& weights;
        const PassBuffers& buffers;
        /// Where norms are spread over the kernels around them; null for models with post-norms.
        const ResidualStream* stream = nullptr;
        /// Where all workgroups of a dispatch may wait for each other; else null.
        const Meeting* meeting = nullptr;
    };
    static Result<LayerKernels> create(KernelContext& context, const Options& options);

    /// Whether the norms of this model can be spread: no post-norms, and no matrix cut into slabs
    /// that ends a branch.
    static bool canSpreadNorms(const ModelConfig& config, const DeviceWeights& weights);

    /// residual = residual + attention(norm(residual)); residual = residual + feedForward(norm(residual)).
    /// Ends with a barrier. marks: of a recording that is measured, else null. whole: in one dispatch, which
    /// canRunWhole must allow.
    void record(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, bool whole, OperationMarks* marks) const;
    bool canRunWhole(uint32_t rowCount, uint32_t splitCount) const
    {
        return m_whole && rowCount == 1 && m_whole->fits(splitCount);
    }

private:
    LayerKernels() = default;
    Result<void> createAttention(KernelContext& context, const Options& options);
    Result<void> createSpread(KernelContext& context, const Options& options);
    static std::optional<WholeLayerOptions> wholeLayerOf(const Options& options);
    Result<void> createPlain(KernelContext& context, const Options& options);
    void recordSpread(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const;
    void recordPlain(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const;
    void recordAttention(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const;

    std::optional<WholeLayer> m_whole; ///< all of the below, where workgroups meet
    std::optional<RopeStore> m_ropeStore;
    std::optional<Attention> m_attention;
    std::optional<Gated> m_gated; ///< where gate and up differ in type

    // Norms spread over the kernels around them.
    std::vector<MatmulNormed> m_queryKeyValueNormed; ///< one for each tensor type among them
    std::optional<MatmulResidual> m_attentionResidual;
    std::optional<GateUpNormed> m_gateUpNormed;
    std::vector<MatmulNormed> m_gateAndUpNormed; ///< where GateUpNormed cannot be used
    std::optional<MatmulResidual> m_downResidual;

    // Norms on their own.
    std::optional<RmsNorm> m_attentionNorm;
    std::vector<Matmul> m_queryKeyValue;
    std::optional<Matmul> m_attentionOutput;
    std::optional<RmsNorm> m_attentionPostNorm;
    std::optional<RmsNorm> m_feedForwardNorm;
    std::optional<GateUp> m_gateUp;
    std::vector<Matmul> m_gateAndUp;
    std::optional<Matmul> m_down;
    std::optional<RmsNorm> m_feedForwardPostNorm;
};

} // namespace engine
