#include "engine/kernels/weight_product.h"

namespace engine {

TileShape WeightProduct::tileFor(uint32_t tokenCount) const
{
    TileShape shape = chooseTileShape(m_lanes, tokenCount);
    if (m_paired) // two rows for each that is stored
        shape.rowsPerLane = shape.rowsPerLane > 1 ? shape.rowsPerLane / 2 : 1;
    return shape;
}

uint32_t WeightProduct::groupCount(const Part& part) const
{
    const uint32_t rows = tileFor(1).rowsPerLane * m_lanes;
    return (part.rowCount + rows - 1) / rows;
}

Result<WeightProduct> WeightProduct::create(KernelContext& context, const WeightProductOptions& options)
{
    using enum vk::BindingType;
    const WeightMatrix& weights = options.weights;
    WeightProduct product(context, weights, options.paired);
    std::vector<vk::BindingType> bindings { UniformTexel, UniformTexel, UniformTexel, UniformTexel }; // the planes
    for (const vk::BindingType type : options.bindingTypes)
        bindings.push_back(type);
    for (const WeightMatrix::Slab& slab : weights.slabs()) {
        const Part part { slab.firstRow, options.paired ? slab.rowCount / 2 : slab.rowCount };
        const auto pipelineOf = [&](uint32_t tokenCount) {
            const TileShape tile = product.tileFor(tokenCount);
            std::vector<vk::SpecConstant> constants = options.constants;
            constants.push_back({ 1, tile.rowsPerLane });
            constants.push_back({ 2, tile.tokens });
            return vk::PipelineOptions {
                .name = std::string(weightOperationName(options.operation)) + "_"
                    + weights.layout().suffix,
                .spirv = weightShader(options.operation, weights.type()),
                .constants = std::move(constants),
                .bindings = bindings,
                .pushConstantBytes = options.pushConstantBytes,
            };
        };
        context.startPipeline(pipelineOf(kTokenTiles.back())); // the largest, beside the others
        Slab made { part, {}, {} };
        for (size_t i = 0; i < kTokenTiles.size(); ++i) {
            TRY_ASSIGN(made.pipelines[i], context.pipeline(pipelineOf(kTokenTiles[i])));
        }
        std::vector<vk::BoundResource> resources = slab.bindings(weights.layout());
        resources.insert(resources.end(), options.resources.begin(), options.resources.end());
        TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(context.device(), *made.pipelines.front(), resources));
        made.set.emplace(std::move(set));
        product.m_slabs.push_back(std::move(made));
    }
    return product;
}

} // namespace engine
