#include "engine/model/layer_kernels.h"

namespace engine {

namespace {
    const LayerWeights& weightsOf(const LayerKernels::Options& options)
    {
        return options.weights.layers[options.layer];
    }

    /// The weight of the norm that comes after this layer.
    const Activations& nextNormWeight(const LayerKernels::Options& options)
    {
        const size_t next = options.layer + 1;
        return next < options.weights.layers.size() ? options.weights.layers[next].attentionNorm
                                                    : options.weights.outputNorm;
    }

    bool usesGelu(const ModelConfig& config) { return config.traits->activation == Activation::GeluTanh; }

    bool fusesGateUp(const StackedMatrix& gateUp)
    {
        return gateUp.parts.size() == 1 && GateUp::canFuse(gateUp.parts.front().weights);
    }

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

    Result<std::vector<MatmulNormed>> normedMatmulsOf(KernelContext& context, const StackedMatrix& stacked,
        const LayerKernels::Options& options, const Activations& y)
    {
        std::vector<MatmulNormed> matmuls;
        for (const StackedMatrix::Part& part : stacked.parts) {
            TRY_ASSIGN(MatmulNormed matmul,
                MatmulNormed::create(context,
                    { .weights = part.weights,
                        .stream = *options.stream,
                        .rows = options.buffers.rows,
                        .y = y,
                        .yOffset = part.yOffset,
                        .bias = part.bias ? &*part.bias : nullptr }));
            matmuls.push_back(std::move(matmul));
        }
        return matmuls;
    }
}

bool LayerKernels::canSpreadNorms(const ModelConfig& config, const DeviceWeights& weights)
{
    if (config.traits->postNorms)
        return false;
    for (const LayerWeights& layer : weights.layers)
        if (layer.attentionOutput.slabs().size() != 1 || layer.down.slabs().size() != 1)
            return false;
    return true;
}

Result<LayerKernels> LayerKernels::create(KernelContext& context, const Options& options)
{
    LayerKernels kernels;
    const std::optional<WholeLayerOptions> whole = wholeLayerOf(options);
    if (whole)
        context.startPipeline(WholeLayer::pipelineOf(context, *whole));
    TRY(kernels.createAttention(context, options));
    TRY(options.stream ? kernels.createSpread(context, options) : kernels.createPlain(context, options));
    if (whole) {
        TRY_ASSIGN(WholeLayer layer, WholeLayer::create(context, *whole));
        kernels.m_whole.emplace(std::move(layer));
    }
    return kernels;
}

/// A layer in one dispatch, where this one can be.
std::optional<WholeLayerOptions> LayerKernels::wholeLayerOf(const Options& options)
{
    if (!options.meeting)
        return std::nullopt;
    const ModelConfig& config = options.config;
    const PassBuffers& buffers = options.buffers;
    const LayerWeights& weights = weightsOf(options);
    const bool postNorms = weights.attentionPostNorm && weights.feedForwardPostNorm;
    if (!fusesGateUp(weights.gateUp) || postNorms == (options.stream != nullptr))
        return std::nullopt;
    std::vector<LayerProduct> queryKeyValue;
    for (const StackedMatrix::Part& part : weights.queryKeyValue.parts)
        queryKeyValue.push_back({ part.weights, part.yOffset, part.bias ? &*part.bias : nullptr });
    WholeLayerOptions whole {
        .meeting = *options.meeting,
        .queryKeyValue = std::move(queryKeyValue),
        .attentionOutput = weights.attentionOutput,
        .gateUp = weights.gateUp.parts.front().weights,
        .down = weights.down,
        .queryKeyNorm = weights.queryKeyNorm ? &*weights.queryKeyNorm : nullptr,
        .attentionNorm = weights.attentionNorm,
        .feedForwardNorm = weights.feedForwardNorm,
        .attentionPostNorm = postNorms ? &*weights.attentionPostNorm : nullptr,
        .feedForwardPostNorm = postNorms ? &*weights.feedForwardPostNorm : nullptr,
        .nextNorm = nextNormWeight(options),
        .rows = buffers.rows,
        .rotation = buffers.rotationOf(config, options.layer),
        .pages = buffers.pages[options.layer],
        .residual = buffers.residual,
        .normed = options.stream ? buffers.scaled : buffers.normed,
        .squares = buffers.squares,
        .branch = buffers.branch,
        .qkv = buffers.queryKeyValue,
        .q = buffers.query,
        .attended = buffers.attended,
        .hidden = buffers.hidden,
        .partial = buffers.partial,
        .partialFloats = buffers.partialFloats,
        .headCount = config.headCount,
        .kOffset = weights.queryKeyValue.tensorOffsets[1],
        .vOffset = weights.queryKeyValue.tensorOffsets[2],
        .splitCount = buffers.splitCount,
        .squaresCount = options.stream ? options.stream->squaresCount : 0,
        .window = config.windowOf(options.layer),
        .scale = config.attentionScale,
        .epsilon = config.rmsNormEpsilon,
        .gelu = usesGelu(config),
    };
    return WholeLayer::canRun(whole) ? std::optional(std::move(whole)) : std::nullopt;
}

Result<void> LayerKernels::createAttention(KernelContext& context, const Options& options)
{
    const ModelConfig& config = options.config;
    const PassBuffers& buffers = options.buffers;
    const LayerWeights& weights = weightsOf(options);
    TRY_ASSIGN(RopeStore ropeStore,
        RopeStore::create(context,
            { .qkv = buffers.queryKeyValue,
                .rows = buffers.rows,
                .rotation = buffers.rotationOf(config, options.layer),
                .normWeights = weights.queryKeyNorm ? &*weights.queryKeyNorm : nullptr,
                .q = buffers.query,
                .pages = buffers.pages[options.layer],
                .headCount = config.headCount,
                .kOffset = weights.queryKeyValue.tensorOffsets[1],
                .vOffset = weights.queryKeyValue.tensorOffsets[2],
                .epsilon = config.rmsNormEpsilon }));
    m_ropeStore.emplace(std::move(ropeStore));
    TRY_ASSIGN(Attention attention,
        Attention::create(context,
            { .q = buffers.query,
                .rows = buffers.rows,
                .pages = buffers.pages[options.layer],
                .partial = buffers.partial,
                .partialFloats = buffers.partialFloats,
                .y = buffers.attended,
                .headCount = config.headCount,
                .window = config.windowOf(options.layer),
                .scale = config.attentionScale,
                .splitCount = buffers.splitCount }));
    m_attention.emplace(std::move(attention));
    if (!fusesGateUp(weights.gateUp)) {
        TRY_ASSIGN(Gated gated,
            Gated::create(context, { .gateUp = buffers.gateUp, .y = buffers.hidden, .gelu = usesGelu(config) }));
        m_gated.emplace(std::move(gated));
    }
    return {};
}

Result<void> LayerKernels::createSpread(KernelContext& context, const Options& options)
{
    const PassBuffers& buffers = options.buffers;
    const LayerWeights& weights = weightsOf(options);
    TRY_ASSIGN(m_queryKeyValueNormed,
        normedMatmulsOf(context, weights.queryKeyValue, options, buffers.queryKeyValue));
    TRY_ASSIGN(MatmulResidual attentionResidual,
        MatmulResidual::create(context,
            { .weights = weights.attentionOutput,
                .x = buffers.attended,
                .stream = *options.stream,
                .nextWeight = weights.feedForwardNorm }));
    m_attentionResidual.emplace(std::move(attentionResidual));
    if (fusesGateUp(weights.gateUp)) {
        TRY_ASSIGN(GateUpNormed gateUp,
            GateUpNormed::create(context,
                { .weights = weights.gateUp.parts.front().weights,
                    .stream = *options.stream,
                    .y = buffers.hidden,
                    .gelu = usesGelu(options.config) }));
        m_gateUpNormed.emplace(std::move(gateUp));
    } else {
        TRY_ASSIGN(m_gateAndUpNormed, normedMatmulsOf(context, weights.gateUp, options, buffers.gateUp));
    }
    TRY_ASSIGN(MatmulResidual downResidual,
        MatmulResidual::create(context,
            { .weights = weights.down,
                .x = buffers.hidden,
                .stream = *options.stream,
                .nextWeight = nextNormWeight(options) }));
    m_downResidual.emplace(std::move(downResidual));
    return {};
}

Result<void> LayerKernels::createPlain(KernelContext& context, const Options& options)
{
    const PassBuffers& buffers = options.buffers;
    const LayerWeights& weights = weightsOf(options);
    const auto norm = [&](const Activations& x, const Activations& weight, const Activations& y, bool adds) {
        return RmsNorm::create(context,
            { .x = x,
                .weight = weight,
                .y = y,
                .epsilon = options.config.rmsNormEpsilon,
                .rows = buffers.rows,
                .adds = adds });
    };
    // The end of a branch: added to the residual at once, or stored for the post-norm.
    const auto branchEnd = [&](const WeightMatrix& matrix, const Activations& x, bool postNorm) {
        return Matmul::create(context,
            { .weights = matrix, .x = x, .y = postNorm ? buffers.branch : buffers.residual, .adds = !postNorm });
    };

    TRY_ASSIGN(RmsNorm attentionNorm, norm(buffers.residual, weights.attentionNorm, buffers.normed, false));
    m_attentionNorm.emplace(std::move(attentionNorm));
    TRY_ASSIGN(m_queryKeyValue, matmulsOf(context, weights.queryKeyValue, buffers.normed, buffers.queryKeyValue));
    TRY_ASSIGN(Matmul attentionOutput,
        branchEnd(weights.attentionOutput, buffers.attended, weights.attentionPostNorm.has_value()));
    m_attentionOutput.emplace(std::move(attentionOutput));
    if (weights.attentionPostNorm) {
        TRY_ASSIGN(RmsNorm postNorm, norm(buffers.branch, *weights.attentionPostNorm, buffers.residual, true));
        m_attentionPostNorm.emplace(std::move(postNorm));
    }

    TRY_ASSIGN(RmsNorm feedForwardNorm, norm(buffers.residual, weights.feedForwardNorm, buffers.normed, false));
    m_feedForwardNorm.emplace(std::move(feedForwardNorm));
    if (fusesGateUp(weights.gateUp)) {
        TRY_ASSIGN(GateUp gateUp,
            GateUp::create(context,
                { .weights = weights.gateUp.parts.front().weights,
                    .x = buffers.normed,
                    .y = buffers.hidden,
                    .gelu = usesGelu(options.config) }));
        m_gateUp.emplace(std::move(gateUp));
    } else {
        TRY_ASSIGN(m_gateAndUp, matmulsOf(context, weights.gateUp, buffers.normed, buffers.gateUp));
    }
    TRY_ASSIGN(Matmul down, branchEnd(weights.down, buffers.hidden, weights.feedForwardPostNorm.has_value()));
    m_down.emplace(std::move(down));
    if (weights.feedForwardPostNorm) {
        TRY_ASSIGN(RmsNorm postNorm, norm(buffers.branch, *weights.feedForwardPostNorm, buffers.residual, true));
        m_feedForwardPostNorm.emplace(std::move(postNorm));
    }
    return {};
}

void LayerKernels::record(
    vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, bool whole, OperationMarks* marks) const
{
    if (whole) {
        m_whole->record(recorder);
        recorder.barrier();
        mark(marks, recorder, "whole_layer");
    } else if (m_downResidual)
        recordSpread(recorder, rowCount, splitCount, marks);
    else
        recordPlain(recorder, rowCount, splitCount, marks);
}

void LayerKernels::recordAttention(
    vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const
{
    m_ropeStore->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "rope_store");
    m_attention->record(recorder, rowCount, splitCount);
    recorder.barrier();
    mark(marks, recorder, "attention");
}

void LayerKernels::recordSpread(
    vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const
{
    for (const MatmulNormed& matmul : m_queryKeyValueNormed)
        matmul.record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "query_key_value");
    recordAttention(recorder, rowCount, splitCount, marks);
    m_attentionResidual->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "attention_output");

    if (m_gateUpNormed) {
        m_gateUpNormed->record(recorder, rowCount);
    } else {
        for (const MatmulNormed& matmul : m_gateAndUpNormed)
            matmul.record(recorder, rowCount);
        recorder.barrier();
        mark(marks, recorder, "gate_up");
        m_gated->record(recorder, rowCount);
    }
    recorder.barrier();
    mark(marks, recorder, m_gated ? "gated" : "gate_up");
    m_downResidual->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "down");
}

void LayerKernels::recordPlain(
    vk::Recorder& recorder, uint32_t rowCount, uint32_t splitCount, OperationMarks* marks) const
{
    m_attentionNorm->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "attention_norm");
    for (const Matmul& matmul : m_queryKeyValue)
        matmul.record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "query_key_value");
    recordAttention(recorder, rowCount, splitCount, marks);
    m_attentionOutput->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "attention_output");
    if (m_attentionPostNorm) {
        m_attentionPostNorm->record(recorder, rowCount);
        recorder.barrier();
        mark(marks, recorder, "attention_post_norm");
    }

    m_feedForwardNorm->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "feed_forward_norm");
    if (m_gateUp) {
        m_gateUp->record(recorder, rowCount);
    } else {
        for (const Matmul& matmul : m_gateAndUp)
            matmul.record(recorder, rowCount);
        recorder.barrier();
        mark(marks, recorder, "gate_up");
        m_gated->record(recorder, rowCount);
    }
    recorder.barrier();
    mark(marks, recorder, m_gated ? "gated" : "gate_up");
    m_down->record(recorder, rowCount);
    recorder.barrier();
    mark(marks, recorder, "down");
    if (m_feedForwardPostNorm) {
        m_feedForwardPostNorm->record(recorder, rowCount);
        recorder.barrier();
        mark(marks, recorder, "feed_forward_post_norm");
    }
}

} // namespace engine
