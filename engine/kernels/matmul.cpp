#include "engine/kernels/matmul.h"

#include "engine/kernels/tile_shape.h"
#include "engine/kernels/weight_shaders.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t yOffset;
        uint32_t tokenCount;
        uint32_t adds;
        uint32_t biased;
        uint32_t firstRow;
    };

    Result<const vk::ComputePipeline*> pipelineFor(KernelContext& context, TensorType type, const TileShape& tile)
    {
        using enum vk::BindingType;
        return context.pipeline({
            .name = std::string("matmul_") + findWeightLayout(type)->suffix,
            .spirv = weightShader(WeightOperation::Matmul, type),
            .constants = { { 1, tile.rowsPerLane }, { 2, tile.tokens } },
            .bindings = { UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel, StorageBuffer,
                UniformTexel },
            .pushConstantBytes = sizeof(Shape),
        });
    }
}

Result<Matmul> Matmul::create(KernelContext& context, const MatmulOptions& options)
{
    Matmul matmul(options, context.lanes());
    const WeightMatrix& weights = options.weights;
    for (const WeightMatrix::Slab& slab : weights.slabs()) {
        const uint32_t tiles = slab.rowCount / kTileRows;
        TRY_ASSIGN(const vk::ComputePipeline* decode,
            pipelineFor(context, weights.type(), chooseTileShape(tiles, context.lanes(), 1)));
        TRY_ASSIGN(const vk::ComputePipeline* prefill,
            pipelineFor(context, weights.type(), chooseTileShape(tiles, context.lanes(), 2)));
        std::vector<vk::BoundResource> resources = slab.bindings(weights.layout());
        resources.push_back(options.x.texels());
        resources.push_back(options.y.buffer());
        resources.push_back(options.bias ? options.bias->floats() : options.x.floats());
        TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(context.device(), *decode, resources));
        matmul.m_parts.push_back({ slab.firstRow, slab.rowCount, std::move(set), decode, prefill });
    }
    return matmul;
}

void Matmul::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    for (const Part& part : m_parts) {
        const TileShape tile = chooseTileShape(part.rowCount / kTileRows, m_lanes, tokenCount);
        recorder.bind(tokenCount == 1 ? *part.decode : *part.prefill, part.set);
        recorder.push(Shape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = m_options.x.strideTexels(),
            .yStride = m_options.y.stride(),
            .yOffset = m_options.yOffset + part.firstRow,
            .tokenCount = tokenCount,
            .adds = m_options.adds ? 1u : 0u,
            .biased = m_options.bias ? 1u : 0u,
            .firstRow = part.firstRow,
        });
        recorder.dispatch((part.rowCount + tile.rowsPerLane * m_lanes - 1) / (tile.rowsPerLane * m_lanes),
            (tokenCount + tile.tokens - 1) / tile.tokens);
    }
}

} // namespace engine
