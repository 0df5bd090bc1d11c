#include "engine/kernels/gate_up.h"

#include "engine/kernels/tile_shape.h"
#include "engine/kernels/weight_shaders.h"
#include "shaders/gated.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t upOffset;
        uint32_t tokenCount;
    };
    struct GatedShape {
        uint32_t columnCount;
        uint32_t stride;
    };

    /// Pairs of rows for each lane: half of what a plain product takes.
    TileShape pairShape(uint32_t tiles, uint32_t lanes, uint32_t tokenCount)
    {
        TileShape shape = chooseTileShape(tiles * 2, lanes, tokenCount);
        shape.rowsPerLane = shape.rowsPerLane > 1 ? shape.rowsPerLane / 2 : 1;
        return shape;
    }

    Result<const vk::ComputePipeline*> pipelineFor(
        KernelContext& context, TensorType type, const TileShape& tile, bool gelu)
    {
        using enum vk::BindingType;
        return context.pipeline({
            .name = std::string("gate_up_") + findWeightLayout(type)->suffix,
            .spirv = weightShader(WeightOperation::GateUp, type),
            .constants = { { 1, tile.rowsPerLane }, { 2, tile.tokens }, { 3, gelu ? 1u : 0u } },
            .bindings = { UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        });
    }
}

Result<GateUp> GateUp::create(KernelContext& context, const GateUpOptions& options)
{
    const WeightMatrix& weights = options.weights;
    const uint32_t tiles = weights.partOffset(1) / kTileRows;
    TRY_ASSIGN(const vk::ComputePipeline* decode,
        pipelineFor(context, weights.type(), pairShape(tiles, context.lanes(), 1), options.gelu));
    TRY_ASSIGN(const vk::ComputePipeline* prefill,
        pipelineFor(context, weights.type(), pairShape(tiles, context.lanes(), 2), options.gelu));
    std::vector<vk::BoundResource> resources = weights.slabs().front().bindings(weights.layout());
    resources.push_back(options.x.texels());
    resources.push_back(options.y.buffer());
    TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(context.device(), *decode, resources));
    GateUp gateUp(options, context.lanes(), std::move(set));
    gateUp.m_decode = decode;
    gateUp.m_prefill = prefill;
    return gateUp;
}

void GateUp::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    const uint32_t rows = m_options.weights.partOffset(1);
    const TileShape tile = pairShape(rows / kTileRows, m_lanes, tokenCount);
    recorder.bind(tokenCount == 1 ? *m_decode : *m_prefill, m_set);
    recorder.push(Shape {
        .rowCount = rows,
        .groupCount = m_options.weights.groupCount(),
        .xStride = m_options.x.strideTexels(),
        .yStride = m_options.y.stride(),
        .upOffset = rows,
        .tokenCount = tokenCount,
    });
    recorder.dispatch((rows + tile.rowsPerLane * m_lanes - 1) / (tile.rowsPerLane * m_lanes),
        (tokenCount + tile.tokens - 1) / tile.tokens);
}

Result<Gated> Gated::create(KernelContext& context, const GatedOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "gated",
            .spirv = shaders::gated(),
            .constants = { { 3, options.gelu ? 1u : 0u } },
            .bindings = { UniformTexel, StorageBuffer },
            .pushConstantBytes = sizeof(GatedShape),
        }));
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(context.device(), *pipeline, { options.gateUp.floats(), options.y.buffer() }));
    return Gated(options, context.lanes(), *pipeline, std::move(set));
}

void Gated::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    recorder.bind(*m_pipeline, m_set);
    recorder.push(GatedShape { m_options.y.stride(), m_options.y.stride() });
    recorder.dispatch((m_options.y.stride() + m_lanes - 1) / m_lanes, tokenCount);
}

} // namespace engine
