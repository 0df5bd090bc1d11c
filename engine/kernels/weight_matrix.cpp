#include "engine/kernels/weight_matrix.h"

#include <algorithm>
#include <numeric>

namespace engine {

namespace {
    /// At most this much of a file is held in host memory while it is packed.
    constexpr uint64_t kReadBytes = 4 << 20;
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
        uint64_t tileBytes = 0;
        for (size_t plane = 0; plane < kWeightPlaneCount; ++plane)
            tileBytes += shape.tileBytes(WeightPlane(plane));
        const uint64_t byTexels = limits.maxTexelBufferElements / texels;
        const uint64_t byBytes = std::min<uint64_t>(limits.maxAllocationBytes, 1u << 30) / tileBytes;
        return uint32_t(std::max<uint64_t>(1, std::min({ byTexels, byBytes, uint64_t(UINT32_MAX) })));
    }

    /// Packs the tiles of one part, in pieces, into the slabs.
    class PartPacker {
    public:
        PartPacker(vk::Uploader& uploader, const WeightMatrixOptions& options, const PackedShape& shape,
            std::vector<WeightMatrix::Slab>& slabs, uint32_t slabTiles)
            : m_uploader(uploader)
            , m_options(options)
            , m_shape(shape)
            , m_slabs(slabs)
            , m_slabTiles(slabTiles)
        {
        }

        Result<void> pack(const WeightPart& part, uint32_t firstTile)
        {
            TRY_ASSIGN(const uint64_t rowBytes, rowBytesOf(m_options));
            const uint64_t block = part.interleavedHeadDim ? std::lcm(kTileRows, part.interleavedHeadDim) : kTileRows;
            const uint64_t step = std::max<uint64_t>(1, kReadBytes / (block * rowBytes)) * block;
            std::vector<std::byte> raw;
            for (uint64_t row = 0; row < part.rows; row += step) {
                const uint64_t count = std::min(step, part.rows - row);
                raw.resize(count * rowBytes);
                TRY(part.read(row, raw));
                for (uint64_t at = 0; at < count; at += kTileRows)
                    TRY(packOne(part, raw, rowBytes, at, count, firstTile + uint32_t((row + at) / kTileRows)));
                if (m_options.progress && !m_options.progress(raw.size()))
                    return Error::cancelled("Loading was stopped.");
            }
            return {};
        }

        static Result<uint64_t> rowBytesOf(const WeightMatrixOptions& options)
        {
            return tensorBytes(options.type, std::array { options.columns });
        }

    private:
        static uint64_t sourceRow(const WeightPart& part, uint64_t row)
        {
            const uint64_t dim = part.interleavedHeadDim;
            if (dim == 0)
                return row;
            const uint64_t inHead = row % dim;
            const uint64_t half = dim / 2;
            return row - inHead + (inHead < half ? 2 * inHead : 2 * (inHead - half) + 1);
        }

        Result<void> packOne(const WeightPart& part, std::span<const std::byte> raw, uint64_t rowBytes, uint64_t at,
            uint64_t count, uint32_t tile)
        {
            std::array<std::span<const std::byte>, kTileRows> rows {};
            for (uint64_t i = 0; i < kTileRows && at + i < count; ++i)
                rows[i] = raw.subspan(sourceRow(part, at + i) * rowBytes, rowBytes);

            WeightMatrix::Slab& slab = m_slabs[tile / m_slabTiles];
            const SlabPlan plan(m_shape, slab.rowCount / kTileRows);
            const uint32_t inSlab = tile % m_slabTiles;
            std::array<std::span<std::byte>, kWeightPlaneCount> planes;
            const std::span<std::byte> mapped = slab.buffer.mapped();
            uint64_t staged = 0;
            for (size_t p = 0; p < kWeightPlaneCount; ++p)
                staged += m_shape.tileBytes(WeightPlane(p));
            if (mapped.empty())
                m_staging.resize(staged);
            uint64_t used = 0;
            for (size_t p = 0; p < kWeightPlaneCount; ++p) {
                const uint64_t bytes = m_shape.tileBytes(WeightPlane(p));
                planes[p] = mapped.empty() ? std::span(m_staging).subspan(used, bytes)
                                           : mapped.subspan(plan.offsets[p] + inSlab * bytes, bytes);
                used += bytes;
            }
            packTile(m_shape, rows, planes);
            if (!mapped.empty())
                return {};
            for (size_t p = 0; p < kWeightPlaneCount; ++p)
                if (!planes[p].empty())
                    TRY(m_uploader.write(slab.buffer, plan.offsets[p] + inSlab * planes[p].size(), planes[p]));
            return {};
        }

        vk::Uploader& m_uploader;
        const WeightMatrixOptions& m_options;
        const PackedShape& m_shape;
        std::vector<WeightMatrix::Slab>& m_slabs;
        uint32_t m_slabTiles;
        std::vector<std::byte> m_staging;
    };
}

std::vector<vk::BoundResource> WeightMatrix::Slab::bindings(const WeightLayout& layout) const
{
    std::vector<vk::BoundResource> resources;
    size_t view = 0;
    for (const WeightPlaneInfo& plane : layout.planes) // an absent plane is never read: any view will do
        resources.push_back(plane.unitsPer256Columns ? views[view++] : views[0]);
    return resources;
}

Result<WeightMatrix> WeightMatrix::create(vk::Device& device, const WeightMatrixOptions& options)
{
    WeightMatrix matrix;
    matrix.m_layout = findWeightLayout(options.type);
    if (!matrix.m_layout)
        return Error::unsupported(options.purpose + ": no kernel for tensor type " + tensorTypeInfo(options.type).name);
    for (const WeightPart& part : options.parts) {
        matrix.m_partOffsets.push_back(matrix.m_paddedRows);
        matrix.m_paddedRows += uint32_t(alignUp(part.rows, kTileRows));
    }
    const PackedShape shape(options.type, matrix.m_paddedRows, options.columns);
    matrix.m_groupCount = shape.groups();

    uint32_t slabTiles = tilesOfSlab(device, shape);
    if (options.mostSlabTiles > 0)
        slabTiles = std::min(slabTiles, options.mostSlabTiles);
    for (uint32_t tile = 0; tile < shape.tiles(); tile += slabTiles) {
        const uint32_t tiles = std::min(slabTiles, shape.tiles() - tile);
        const SlabPlan plan(shape, tiles);
        TRY_ASSIGN(vk::Buffer buffer,
            vk::Buffer::create(
                device, { .bytes = plan.total, .domain = vk::BufferDomain::Weights, .purpose = options.purpose }));
        Slab slab { tile * kTileRows, tiles * kTileRows, std::move(buffer), {} };
        for (size_t p = 0; p < kWeightPlaneCount; ++p) {
            if (plan.bytes[p] == 0)
                continue;
            TRY_ASSIGN(vk::TexelView view,
                vk::TexelView::create(device, slab.buffer,
                    { .offset = plan.offsets[p], .bytes = plan.bytes[p], .format = shape.layout->planes[p].format }));
            slab.views.push_back(std::move(view));
        }
        matrix.m_deviceBytes += plan.total;
        matrix.m_slabs.push_back(std::move(slab));
    }

    std::optional<vk::Uploader> own;
    vk::Uploader& uploader = options.uploader ? *options.uploader : own.emplace(device);
    PartPacker packer(uploader, options, shape, matrix.m_slabs, slabTiles);
    Result<void> packed;
    for (size_t i = 0; i < options.parts.size() && packed; ++i)
        packed = packer.pack(options.parts[i], matrix.m_partOffsets[i] / kTileRows);
    // Whatever happened, nothing may be in flight to buffers that may go now.
    const Result<void> arrived = uploader.finish();
    TRY(packed);
    TRY(arrived);
    return matrix;
}

} // namespace engine
