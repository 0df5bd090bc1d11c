#pragma once

#include "engine/kernels/attention.h"
#include "engine/kernels/gate_up.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/rms_norm.h"
#include "engine/kernels/rope_store.h"
#include "engine/model/pass_buffers.h"

#include <optional>
#include <vector>

namespace engine {

/// The operations of one layer, bound to its weights. record reads like the paper.
class LayerKernels {
public:
    static Result<LayerKernels> create(KernelContext& context, const ModelConfig& config, uint32_t layer,
        const LayerWeights& weights, const PassBuffers& buffers);

    /// residual = residual + attention(norm(residual)); residual = residual + feedForward(norm(residual)).
    void record(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount) const;

private:
    LayerKernels() = default;
    void recordAttention(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount) const;
    void recordFeedForward(vk::Recorder& recorder, uint32_t rowCount) const;

    std::optional<RmsNorm> m_attentionNorm;
    std::vector<Matmul> m_queryKeyValue; ///< one for each tensor type among them
    std::optional<RopeStore> m_ropeStore;
    std::optional<Attention> m_attention;
    std::optional<Matmul> m_attentionOutput;
    std::optional<RmsNorm> m_attentionPostNorm;
    std::optional<RmsNorm> m_feedForwardNorm;
    std::optional<GateUp> m_gateUp;
    std::vector<Matmul> m_gateAndUp; ///< where GateUp cannot be used
    std::optional<Gated> m_gated;
    std::optional<Matmul> m_down;
    std::optional<RmsNorm> m_feedForwardPostNorm;
};

} // namespace engine
