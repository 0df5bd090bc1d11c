#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/kernels/tile_shape.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/kernels/weight_shaders.h"
#include "engine/vulkan/recorder.h"

#include <array>
#include <optional>
#include <vector>

namespace engine {

struct WeightProductOptions {
    WeightOperation operation = WeightOperation::Matmul;
    const WeightMatrix& weights;
    std::vector<vk::BindingType> bindingTypes; ///< after the four planes
    std::vector<vk::BoundResource> resources; ///< the same number
    std::vector<vk::SpecConstant> constants; ///< besides lanes, rows and tokens (0 to 2)
    uint32_t pushConstantBytes = 0;
    /// Rows come in pairs (row, row + half of the matrix), computed by the same lane.
    bool paired = false;
};

/// What all kernels around dot_rows.glsl share: a pipeline for each tile of tokens, a binding set for each slab of the weights, and how rows and tokens become workgroups.
class WeightProduct {
public:
    /// The rows of one slab.
    struct Part {
        uint32_t firstRow = 0;
        uint32_t rowCount = 0; ///< to store: half of the matrix when paired
    };

    static Result<WeightProduct> create(KernelContext& context, const WeightProductOptions& options);

    const WeightMatrix& weights() const { return *m_weights; }

    /// Dispatches each slab with the push constants shapeOf(part).
    template <typename ShapeOf> void record(vk::Recorder& recorder, uint32_t tokenCount, ShapeOf shapeOf) const
    {
        const size_t tile = tokenTileIndex(tokenCount);
        const uint32_t tokens = kTokenTiles[tile];
        for (const Slab& slab : m_slabs) {
            recorder.bind(*slab.pipelines[tile], *slab.set);
            recorder.push(shapeOf(slab.part));
            recorder.dispatch(m_context->shareCount(groupCount(slab.part)), (tokenCount + tokens - 1) / tokens);
        }
    }

private:
    struct Slab {
        Part part;
        std::array<const vk::ComputePipeline*, kTokenTiles.size()> pipelines; ///< for each token tile
        std::optional<vk::BindingSet> set;
    };
    WeightProduct(const KernelContext& context, const WeightMatrix& weights, bool paired)
        : m_context(&context)
        , m_weights(&weights)
        , m_lanes(context.lanes())
        , m_paired(paired)
    {
    }
    TileShape tileFor(uint32_t tokenCount) const;
    uint32_t groupCount(const Part& part) const;

    const KernelContext* m_context;
    const WeightMatrix* m_weights;
    uint32_t m_lanes;
    bool m_paired;
    std::vector<Slab> m_slabs;
};

} // namespace engine
