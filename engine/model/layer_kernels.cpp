#include "engine/model/layer_kernels.h"

namespace engine {

namespace {
    Result<std::vector<Matmul>> matmulsOf(
        KernelContext& context, const StackedMatrix& stacked, const Activations& x, const Activations& y)
    {
        std::vector<Matmul> matmuls;
        for (const StackedMatrix::Part& part : stacked.parts) {
            TRY_ASSIGN(Matmul matmul,
                Matmul::create(context,
                    { .weights = part.weights,
                        .x = x,
                        .y = y,
                        .yOffset = part.yOffset,
                        .bias = part.bias ? &*part.bias : nullptr }));
            matmuls.push_back(std::move(matmul));
        }
        return matmuls;
    }

    /// A product that ends a branch: added to the residual at once, or stored for the post-norm.
    Result<Matmul> branchEnd(KernelContext& context, const WeightMatrix& weights, const Activations& x,
        const PassBuffers& buffers, bool postNorm)
    {
        return Matmul::create(context,
            { .weights = weights, .x = x, .y = postNorm ? buffers.branch : buffers.residual, .adds = !postNorm });
    }
}

Result<LayerKernels> LayerKernels::create(KernelContext& context, const ModelConfig& config, uint32_t layer,
    const LayerWeights& weights, const PassBuffers& buffers)
{
    const bool gelu = config.traits->activation == Activation::GeluTanh;
    const auto norm = [&](const Activations& x, const Activations& weight, const Activations& y, bool adds) {
        return RmsNorm::create(
            context, { .x = x, .weight = weight, .y = y, .epsilon = config.rmsNormEpsilon, .rows = buffers.rows, .adds = adds });
    };
    LayerKernels kernels;

    TRY_ASSIGN(RmsNorm attentionNorm, norm(buffers.residual, weights.attentionNorm, buffers.normed, false));
    kernels.m_attentionNorm.emplace(std::move(attentionNorm));
    TRY_ASSIGN(kernels.m_queryKeyValue,
        matmulsOf(context, weights.queryKeyValue, buffers.normed, buffers.queryKeyValue));
    TRY_ASSIGN(RopeStore ropeStore,
        RopeStore::create(context,
            { .qkv = buffers.queryKeyValue,
                .rows = buffers.rows,
                .rotation = buffers.rotationOf(config, layer),
                .normWeights = weights.queryKeyNorm ? &*weights.queryKeyNorm : nullptr,
                .q = buffers.query,
                .pages = buffers.pages[layer],
                .headCount = config.headCount,
                .kOffset = weights.queryKeyValue.tensorOffsets[1],
                .vOffset = weights.queryKeyValue.tensorOffsets[2],
                .epsilon = config.rmsNormEpsilon }));
    kernels.m_ropeStore.emplace(std::move(ropeStore));
    TRY_ASSIGN(Attention attention,
        Attention::create(context,
            { .q = buffers.query,
                .rows = buffers.rows,
                .pages = buffers.pages[layer],
                .partial = buffers.partial,
                .partialFloats = buffers.partialFloats,
                .y = buffers.attended,
                .headCount = config.headCount,
                .window = config.windowOf(layer),
                .scale = config.attentionScale,
                .splitCount = buffers.splitCount }));
    kernels.m_attention.emplace(std::move(attention));
    TRY_ASSIGN(Matmul attentionOutput,
        branchEnd(context, weights.attentionOutput, buffers.attended, buffers, weights.attentionPostNorm.has_value()));
    kernels.m_attentionOutput.emplace(std::move(attentionOutput));
    if (weights.attentionPostNorm) {
        TRY_ASSIGN(RmsNorm postNorm, norm(buffers.branch, *weights.attentionPostNorm, buffers.residual, true));
        kernels.m_attentionPostNorm.emplace(std::move(postNorm));
    }

    TRY_ASSIGN(RmsNorm feedForwardNorm, norm(buffers.residual, weights.feedForwardNorm, buffers.normed, false));
    kernels.m_feedForwardNorm.emplace(std::move(feedForwardNorm));
    const StackedMatrix& stacked = weights.gateUp;
    if (stacked.parts.size() == 1 && GateUp::canFuse(stacked.parts.front().weights)) {
        TRY_ASSIGN(GateUp gateUp,
            GateUp::create(context,
                { .weights = stacked.parts.front().weights, .x = buffers.normed, .y = buffers.hidden, .gelu = gelu }));
        kernels.m_gateUp.emplace(std::move(gateUp));
    } else {
        TRY_ASSIGN(kernels.m_gateAndUp, matmulsOf(context, stacked, buffers.normed, buffers.gateUp));
        TRY_ASSIGN(Gated gated,
            Gated::create(context, { .gateUp = buffers.gateUp, .y = buffers.hidden, .gelu = gelu }));
        kernels.m_gated.emplace(std::move(gated));
    }
    TRY_ASSIGN(Matmul down,
        branchEnd(context, weights.down, buffers.hidden, buffers, weights.feedForwardPostNorm.has_value()));
    kernels.m_down.emplace(std::move(down));
    if (weights.feedForwardPostNorm) {
        TRY_ASSIGN(RmsNorm postNorm, norm(buffers.branch, *weights.feedForwardPostNorm, buffers.residual, true));
        kernels.m_feedForwardPostNorm.emplace(std::move(postNorm));
    }
    return kernels;
}

void LayerKernels::record(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount) const
{
    recordAttention(recorder, rowCount, splitCount);
    recordFeedForward(recorder, rowCount);
}

void LayerKernels::recordAttention(vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount) const
{
    m_attentionNorm->record(recorder, rowCount);
    recorder.barrier();
    for (const Matmul& matmul : m_queryKeyValue)
        matmul.record(recorder, rowCount);
    recorder.barrier();
    m_ropeStore->record(recorder, rowCount);
    recorder.barrier();
    m_attention->record(recorder, rowCount, splitCount);
    recorder.barrier();
    m_attentionOutput->record(recorder, rowCount);
    recorder.barrier();
    if (m_attentionPostNorm) {
        m_attentionPostNorm->record(recorder, rowCount);
        recorder.barrier();
    }
}

void LayerKernels::recordFeedForward(vk::Recorder& recorder, uint32_t rowCount) const
{
    m_feedForwardNorm->record(recorder, rowCount);
    recorder.barrier();
    if (m_gateUp) {
        m_gateUp->record(recorder, rowCount);
    } else {
        for (const Matmul& matmul : m_gateAndUp)
            matmul.record(recorder, rowCount);
        recorder.barrier();
        m_gated->record(recorder, rowCount);
    }
    recorder.barrier();
    m_down->record(recorder, rowCount);
    recorder.barrier();
    if (m_feedForwardPostNorm) {
        m_feedForwardPostNorm->record(recorder, rowCount);
        recorder.barrier();
    }
}

} // namespace engine
