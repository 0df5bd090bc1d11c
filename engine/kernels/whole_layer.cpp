#include "engine/kernels/whole_layer.h"

#include "engine/kernels/attention.h"
#include "engine/kernels/tile_shape.h"
#include "shaders/whole_layer_any.h"
#include "shaders/whole_layer_bf16.h"
#include "shaders/whole_layer_f16.h"
#include "shaders/whole_layer_f32.h"
#include "shaders/whole_layer_mixed.h"
#include "shaders/whole_layer_q4_0.h"
#include "shaders/whole_layer_q4_1.h"
#include "shaders/whole_layer_q4_k.h"
#include "shaders/whole_layer_q4_k_m.h"
#include "shaders/whole_layer_q5_0.h"
#include "shaders/whole_layer_q5_k.h"
#include "shaders/whole_layer_q5_k_m.h"
#include "shaders/whole_layer_q6_k.h"
#include "shaders/whole_layer_q8_0.h"

#include <algorithm>

namespace engine {

namespace {
    struct Shape {
        uint32_t columnCount;
        uint32_t normStride;
        uint32_t squaresStride;
        uint32_t squaresUsed;
        uint32_t qkvRowCount;
        uint32_t secondRowCount;
        uint32_t secondOffset;
        uint32_t qkvStride;
        uint32_t headCount;
        uint32_t kvHeadCount;
        uint32_t groupSize;
        uint32_t headUnits;
        uint32_t kOffset;
        uint32_t vOffset;
        uint32_t qStride;
        uint32_t splitRoom;
        uint32_t window;
        uint32_t attendedStride;
        uint32_t hiddenStride;
        uint32_t hiddenRowCount;
        float epsilon;
        float scale;
    };

    /// The software device ends the loops of a workgroup after 65,535 rounds; the rest is for waiting (kMostWaitRounds
    /// of meeting.glsl).
    constexpr uint32_t kMostRounds = 40'000;

    uint32_t typeNumber(const WeightMatrix& weights)
    {
        return uint32_t(&weights.layout() - weightLayoutTable().data());
    }

    /// The same shader for a few tensor types each: a driver reads all that a shader may do.
    struct Variant {
        const char* name;
        std::span<const uint32_t> (*spirv)();
        std::vector<TensorType> types;
    };
    const std::vector<Variant>& variants()
    {
        using enum TensorType;
        static const std::vector<Variant> table {
            { "whole_layer_f32", shaders::whole_layer_f32, { F32 } },
            { "whole_layer_f16", shaders::whole_layer_f16, { F16 } },
            { "whole_layer_bf16", shaders::whole_layer_bf16, { BF16 } },
            { "whole_layer_q4_0", shaders::whole_layer_q4_0, { Q4_0 } },
            { "whole_layer_q4_1", shaders::whole_layer_q4_1, { Q4_1 } },
            { "whole_layer_q5_0", shaders::whole_layer_q5_0, { Q5_0 } },
            { "whole_layer_q8_0", shaders::whole_layer_q8_0, { Q8_0 } },
            { "whole_layer_q4_k", shaders::whole_layer_q4_k, { Q4_K } },
            { "whole_layer_q5_k", shaders::whole_layer_q5_k, { Q5_K } },
            { "whole_layer_q6_k", shaders::whole_layer_q6_k, { Q6_K } },
            { "whole_layer_q4_k_m", shaders::whole_layer_q4_k_m, { Q4_K, Q6_K } },
            { "whole_layer_q5_k_m", shaders::whole_layer_q5_k_m, { Q5_K, Q6_K } },
            { "whole_layer_mixed", shaders::whole_layer_mixed, { Q5_0, Q8_0, Q4_K, Q6_K } },
            { "whole_layer_any", shaders::whole_layer_any, {} },
        };
        return table;
    }
    const Variant& variantFor(const WholeLayerOptions& options)
    {
        std::vector<TensorType> wanted { options.attentionOutput.type(), options.gateUp.type(), options.down.type() };
        for (const LayerProduct& product : options.queryKeyValue)
            wanted.push_back(product.weights.type());
        for (const Variant& variant : variants())
            if (std::ranges::all_of(wanted,
                    [&](TensorType type) { return std::ranges::find(variant.types, type) != variant.types.end(); }))
                return variant;
        return variants().back();
    }

    uint32_t gatePairsOf(uint32_t rows) { return std::max(1u, rows / 2); }

    uint32_t roundsOf(const WeightMatrix& weights, uint32_t rows, uint32_t lanes, uint32_t workgroups)
    {
        const uint32_t items = (weights.paddedRows() + rows * lanes - 1) / (rows * lanes);
        return (items + workgroups - 1) / workgroups * (weights.groupCount() + 4);
    }
}

bool WholeLayer::canRun(const WholeLayerOptions& options)
{
    const auto isWhole = [](const WeightMatrix& weights) { return weights.slabs().size() == 1; };
    if (options.queryKeyValue.empty() || options.queryKeyValue.size() > 2)
        return false;
    for (const LayerProduct& product : options.queryKeyValue)
        if (!isWhole(product.weights) || bool(product.bias) != bool(options.queryKeyValue.front().bias))
            return false;
    return isWhole(options.attentionOutput) && isWhole(options.gateUp) && isWhole(options.down);
}

vk::PipelineOptions WholeLayer::pipelineOf(
    const KernelContext& context, const WholeLayerOptions& options)
{
    using enum vk::BindingType;
    const KvShape& kv = options.pages.shape();
    const LayerProduct& first = options.queryKeyValue.front();
    const LayerProduct& second = options.queryKeyValue.back();
    const bool hasSecond = options.queryKeyValue.size() > 1;
    const uint32_t rows = chooseTileShape(context.lanes(), 1).rowsPerLane;
    const uint32_t gatePairs = gatePairsOf(rows);
    std::vector<vk::BindingType> bindings(44, UniformTexel);
    bindings.resize(56, StorageBuffer);
    const Variant& variant = variantFor(options);
    return { .name = variant.name,
        .spirv = variant.spirv(),
        .constants = { { 1, std::max(rows, 2 * gatePairs) }, { 3, options.gelu },
            { 4, options.attentionPostNorm != nullptr }, { 5, kKvPageTokens },
            { 6, options.queryKeyNorm != nullptr }, { 7, kv.headDim / 2 },
            { 8, Attention::headsPerWorkgroup(options.headCount / kv.kvHeadCount) },
            { 9, kKvPageTokens / context.lanes() }, { 10, typeNumber(first.weights) },
            { 11, hasSecond ? typeNumber(second.weights) : ~0u },
            { 12, typeNumber(options.attentionOutput) }, { 13, typeNumber(options.gateUp) },
            { 14, typeNumber(options.down) }, { 15, rows }, { 16, gatePairs },
            { 17, first.bias != nullptr } },
        .bindings = std::move(bindings),
        .pushConstantBytes = sizeof(Shape) };
}

Result<WholeLayer> WholeLayer::create(KernelContext& context, const WholeLayerOptions& options)
{
    const uint32_t lanes = context.lanes();
    const KvShape& kv = options.pages.shape();
    const LayerProduct& first = options.queryKeyValue.front();
    const LayerProduct& second = options.queryKeyValue.back();
    const bool hasSecond = options.queryKeyValue.size() > 1;
    const uint32_t rows = chooseTileShape(lanes, 1).rowsPerLane;
    const uint32_t gatePairs = gatePairsOf(rows);
    const uint32_t groupSize = options.headCount / kv.kvHeadCount;
    const uint32_t heads = Attention::headsPerWorkgroup(groupSize);
    TRY_ASSIGN(const vk::ComputePipeline* pipeline, context.pipeline(pipelineOf(context, options)));

    std::vector<vk::BoundResource> resources;
    for (const WeightMatrix* weights :
        { &first.weights, &second.weights, &options.attentionOutput, &options.gateUp, &options.down })
        for (const vk::BoundResource& plane : weights->slabs().front().bindings(weights->layout()))
            resources.push_back(plane);
    const auto texelsOf = [](const Activations* wanted, const Activations& instead) -> const vk::TexelView& {
        return wanted ? wanted->texels() : instead.texels(); // never read when there is none
    };
    const Activations& norm = options.attentionNorm;
    for (const vk::TexelView* view : { &options.rows.rows(), &options.rows.tables(), &options.rotation.fine(),
             &options.rotation.coarse(), options.queryKeyNorm ? &options.queryKeyNorm->floats() : &norm.floats(),
             first.bias ? &first.bias->floats() : &norm.floats(), second.bias ? &second.bias->floats() : &norm.floats(),
             &norm.texels(), &texelsOf(options.attentionPostNorm, norm), &options.feedForwardNorm.texels(),
             &texelsOf(options.feedForwardPostNorm, norm), &options.feedForwardNorm.floats(),
             &options.nextNorm.floats(), &options.residual.texels(), &options.normed.texels(),
             &options.squares.texels(), &options.branch.texels(), &options.qkv.floats(), &options.q.texels(),
             &options.pages.keyTexels(), &options.pages.valueTexels(), &options.partialFloats,
             &options.attended.texels(), &options.hidden.texels() })
        resources.push_back(*view);
    for (const vk::Buffer* buffer : { &options.residual.buffer(), &options.normed.buffer(), &options.squares.buffer(),
             &options.branch.buffer(), &options.qkv.buffer(), &options.q.buffer(), &options.pages.keys(),
             &options.pages.values(), &options.partial, &options.attended.buffer(), &options.hidden.buffer(),
             &options.meeting.buffer() })
        resources.push_back(*buffer);
    TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(context.device(), *pipeline, resources));

    WholeLayer layer(options, *pipeline, std::move(set));
    const uint32_t workgroups = options.meeting.workgroupCount();
    layer.m_lanes = lanes;
    layer.m_headTiles = kv.kvHeadCount * ((groupSize + heads - 1) / heads);
    layer.m_productRounds = roundsOf(first.weights, rows, lanes, workgroups)
        + (hasSecond ? roundsOf(second.weights, rows, lanes, workgroups) : 0)
        + roundsOf(options.attentionOutput, rows, lanes, workgroups)
        + roundsOf(options.gateUp, 2 * gatePairs, lanes, workgroups)
        + roundsOf(options.down, rows, lanes, workgroups);
    return layer;
}

bool WholeLayer::fits(uint32_t splitCount) const
{
    const KvShape& kv = m_options.pages.shape();
    const uint64_t workgroups = m_options.meeting.workgroupCount();
    const uint64_t attention = (uint64_t(splitCount) * m_headTiles / workgroups + 1) * (3 * kv.headDim / 8 + 2);
    const uint64_t heads = ((m_options.headCount + 2 * kv.kvHeadCount) / workgroups + 1) * (kv.headDim + 4);
    const uint64_t joins
        = (m_options.headCount / workgroups + 1) * uint64_t(splitCount) * (kv.headDim / m_lanes + 2);
    const uint64_t norms = 8 * (m_options.residual.strideTexels() / m_lanes + 1);
    return m_productRounds + attention + heads + joins + norms < kMostRounds;
}

void WholeLayer::record(vk::Recorder& recorder) const
{
    const KvShape& kv = m_options.pages.shape();
    const LayerProduct& second = m_options.queryKeyValue.back();
    recorder.bind(*m_pipeline, m_set);
    recorder.push(Shape {
        .columnCount = m_options.residual.columns(),
        .normStride = m_options.residual.strideTexels(),
        .squaresStride = m_options.squares.strideTexels(),
        .squaresUsed = (m_options.squaresCount + 3) / 4,
        .qkvRowCount = m_options.queryKeyValue.front().weights.paddedRows(),
        .secondRowCount = second.weights.paddedRows(),
        .secondOffset = second.yOffset,
        .qkvStride = m_options.qkv.stride(),
        .headCount = m_options.headCount,
        .kvHeadCount = kv.kvHeadCount,
        .groupSize = m_options.headCount / kv.kvHeadCount,
        .headUnits = kv.headDim / 8,
        .kOffset = m_options.kOffset,
        .vOffset = m_options.vOffset,
        .qStride = m_options.q.stride(),
        .splitRoom = m_options.splitCount,
        .window = m_options.window,
        .attendedStride = m_options.attended.stride(),
        .hiddenStride = m_options.hidden.stride(),
        .hiddenRowCount = m_options.gateUp.paddedRows() / 2,
        .epsilon = m_options.epsilon,
        .scale = m_options.scale,
    });
    recorder.dispatch(m_options.meeting.workgroupCount());
}

} // namespace engine
