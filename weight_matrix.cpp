#include "engine/kernels/weight_matrix.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kPlaneAlignment = 256;

    uint64_t alignUp(uint64_t value, uint64_t alignment)
    {
        return (value + alignment - 1) / alignment * alignment;
    }

    /// Where the planes of a slab of so many tiles lie in its buffer.
    struct SlabPlan {
        std::array<uint64_t, kWeightPlaneCount> offsets {};
        std::array<uint64_t, kWeightPlaneCount> bytes {};
        uint64_t total = 0;

        SlabPlan(const PackedShape& shape, uint32_t tiles)
        {
            for (size_t plane = 0; plane < kWeightPlaneCount; ++plane) {
                offsets[plane] = total;
                bytes[plane] = shape.tileBytes(WeightPlane(plane)) * tiles;
                total = alignUp(total + bytes[plane], kPlaneAlignment);
            }
        }
    };

    /// The most tiles a slab may have on this device.
    uint32_t tilesOfSlab(const vk::Device& device, const PackedShape& shape)
    {
        const vk::Capabilities& limits = device.capabilities();
        const uint64_t texels = uint64_t(shape.units(WeightPlane::Quants)) * kTileRows;
        const uint64_t byTexels = limits.maxTexelBufferElements / texels;
        const uint64_t byBytes
            = std::min<uint64_t>(limits.maxAllocationBytes, 1u << 30) / shape.tileBytes();
        return uint32_t(
            std::max<uint64_t>(1, std::min({ byTexels, byBytes, uint64_t(UINT32_MAX) })));
    }
}

std::vector<vk::BoundResource> WeightMatrix::Slab::bindings(const WeightLayout& layout) const
{
    std::vector<vk::BoundResource> resources;
    size_t view = 0;
    for (const WeightPlaneInfo& plane :
        layout.planes) // an absent plane is never read: any view will do
        resources.push_back(plane.unitsPer256Columns ? views[view++] : views[0]);
    return resources;
}

Result<WeightMatrix> WeightMatrix::create(vk::Device& device, const WeightMatrixOptions& options)
{
    if (!findWeightLayout(options.type))
        return Error::unsupported(
            options.purpose + ": no kernel for tensor type " + tensorTypeInfo(options.type).name);
    std::vector<uint32_t> partOffsets;
    uint64_t paddedRows = 0;
    for (const uint64_t rows : options.partRows) {
        partOffsets.push_back(uint32_t(paddedRows));
        paddedRows += alignUp(rows, kTileRows);
    }
    WeightMatrix matrix(PackedShape(options.type, paddedRows, options.columns));
    matrix.m_partOffsets = std::move(partOffsets);
    const PackedShape& shape = matrix.m_shape;

    matrix.m_slabTiles = tilesOfSlab(device, shape);
    if (options.mostSlabTiles > 0)
        matrix.m_slabTiles = std::min(matrix.m_slabTiles, options.mostSlabTiles);
    for (uint32_t tile = 0; tile < shape.tiles(); tile += matrix.m_slabTiles) {
        const uint32_t tiles = std::min(matrix.m_slabTiles, shape.tiles() - tile);
        const SlabPlan plan(shape, tiles);
        TRY_ASSIGN(vk::Buffer buffer,
            vk::Buffer::create(device,
                { .bytes = plan.total,
                    .domain = vk::BufferDomain::Weights,
                    .purpose = options.purpose }));
        Slab slab { tile * kTileRows, tiles * kTileRows, std::move(buffer), plan.offsets, {} };
        for (size_t p = 0; p < kWeightPlaneCount; ++p) {
            if (plan.bytes[p] == 0)
                continue;
            TRY_ASSIGN(vk::TexelView view,
                vk::TexelView::create(device, slab.buffer,
                    { .offset = plan.offsets[p],
                        .bytes = plan.bytes[p],
                        .format = shape.layout->planes[p].format }));
            slab.views.push_back(std::move(view));
        }
        matrix.m_deviceBytes += plan.total;
        matrix.m_slabs.push_back(std::move(slab));
    }
    return matrix;
}

WeightMatrix::TilePlace WeightMatrix::placeOf(uint32_t tile) const
{
    TilePlace place { &m_slabs[tile / m_slabTiles], {} };
    for (size_t p = 0; p < kWeightPlaneCount; ++p)
        place.offsets[p]
            = place.slab->planeOffsets[p] + tile % m_slabTiles * m_shape.tileBytes(WeightPlane(p));
    return place;
}

Result<uint64_t> WeightMatrix::rawRowBytes() const
{
    return tensorBytes(type(), std::array { m_shape.columns });
}

} // namespace engine
