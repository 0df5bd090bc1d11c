#include "engine/kernels/weight_packer.h"

#include <algorithm>
#include <numeric>

namespace engine {

namespace {
    /// At most this much of a file is held in host memory while it is packed.
    constexpr uint64_t kReadBytes = 4 << 20;

    /// The row of a part, as the file has it, that comes to this row of the matrix.
    uint64_t sourceRow(const WeightPart& part, uint64_t row)
    {
        const uint64_t dim = part.interleavedHeadDim;
        if (dim == 0)
            return row;
        const uint64_t inHead = row % dim;
        const uint64_t half = dim / 2;
        return row - inHead + (inHead < half ? 2 * inHead : 2 * (inHead - half) + 1);
    }
}

Result<void> WeightPacker::pack(
    const WeightMatrix& matrix, std::span<const WeightPart> parts, const PieceProgress& progress)
{
    for (size_t i = 0; i < parts.size(); ++i)
        TRY(packPart(matrix, parts[i], matrix.partOffset(i) / kTileRows, progress));
    return {};
}

Result<void> WeightPacker::packPart(const WeightMatrix& matrix, const WeightPart& part,
    uint32_t firstTile, const PieceProgress& progress)
{
    TRY_ASSIGN(const uint64_t rowBytes, matrix.rawRowBytes());
    const uint64_t block
        = part.interleavedHeadDim ? std::lcm(kTileRows, part.interleavedHeadDim) : kTileRows;
    const uint64_t step = std::max<uint64_t>(1, kReadBytes / (block * rowBytes)) * block;
    for (uint64_t row = 0; row < part.rows; row += step) {
        const uint64_t count = std::min(step, part.rows - row);
        m_raw.resize(count * rowBytes);
        TRY(part.read(row, m_raw));
        const Piece piece { part, rowBytes, count, firstTile + uint32_t(row / kTileRows) };
        for (uint32_t tile = 0; tile * uint64_t(kTileRows) < count; ++tile)
            TRY(packTileOf(matrix, piece, tile));
        if (progress && !progress(m_raw.size()))
            return Error::cancelled("Loading was stopped.");
    }
    return {};
}

Result<void> WeightPacker::packTileOf(const WeightMatrix& matrix, const Piece& piece, uint32_t tile)
{
    std::array<std::span<const std::byte>, kTileRows> rows {};
    const uint64_t first = uint64_t(tile) * kTileRows;
    for (uint64_t i = 0; i < kTileRows && first + i < piece.rowCount; ++i)
        rows[i] = std::span(m_raw).subspan(
            sourceRow(piece.part, first + i) * piece.rowBytes, piece.rowBytes);

    const PackedShape& shape = matrix.shape();
    const WeightMatrix::TilePlace place = matrix.placeOf(piece.firstTile + tile);
    const std::span<std::byte> mapped = place.slab->buffer.mapped();
    std::array<std::span<std::byte>, kWeightPlaneCount> planes;
    if (mapped.empty())
        m_packed.resize(shape.tileBytes());
    uint64_t used = 0;
    for (size_t p = 0; p < kWeightPlaneCount; ++p) {
        const uint64_t bytes = shape.tileBytes(WeightPlane(p));
        planes[p] = mapped.empty() ? std::span(m_packed).subspan(used, bytes)
                                   : mapped.subspan(place.offsets[p], bytes);
        used += bytes;
    }
    packTile(shape, rows, planes);
    if (!mapped.empty())
        return {};
    for (size_t p = 0; p < kWeightPlaneCount; ++p)
        if (!planes[p].empty())
            TRY(m_uploader.write(place.slab->buffer, place.offsets[p], planes[p]));
    return {};
}

} // namespace engine
