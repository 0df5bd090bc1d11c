#include "engine/kernels/weight_layout.h"

#include "engine/base/half.h"

#include <bit>
#include <cstring>

namespace engine {

namespace {
    using vk::TexelFormat;

    constexpr WeightPlaneInfo kNone {};
    constexpr WeightPlaneInfo plane(TexelFormat format, uint32_t unitsPer256)
    {
        return { format, unitsPer256 };
    }

    constexpr std::array kLayouts {
        WeightLayout {
            TensorType::F32, "f32", { plane(TexelFormat::UInt4, 64), kNone, kNone, kNone } },
        WeightLayout {
            TensorType::F16, "f16", { plane(TexelFormat::UInt4, 32), kNone, kNone, kNone } },
        WeightLayout {
            TensorType::BF16, "bf16", { plane(TexelFormat::UInt4, 32), kNone, kNone, kNone } },
        WeightLayout { TensorType::Q4_0, "q4_0",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt1, 4), kNone, kNone } },
        WeightLayout { TensorType::Q4_1, "q4_1",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt2, 4), kNone, kNone } },
        WeightLayout { TensorType::Q5_0, "q5_0",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt1, 4),
                plane(TexelFormat::UInt2, 4), kNone } },
        WeightLayout { TensorType::Q8_0, "q8_0",
            { plane(TexelFormat::UInt4, 16), plane(TexelFormat::UInt1, 4), kNone, kNone } },
        WeightLayout { TensorType::Q4_K, "q4_k",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt4, 1), kNone, kNone } },
        WeightLayout { TensorType::Q5_K, "q5_k",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt4, 1),
                plane(TexelFormat::UInt2, 4), kNone } },
        WeightLayout { TensorType::Q6_K, "q6_k",
            { plane(TexelFormat::UInt4, 8), plane(TexelFormat::UInt4, 1),
                plane(TexelFormat::UInt4, 4), plane(TexelFormat::UInt1, 1) } },
    };

    /// Writes units of one row into a tile's planes.
    class RowWriter {
    public:
        RowWriter(const PackedShape& shape,
            const std::array<std::span<std::byte>, kWeightPlaneCount>& tile, uint32_t row)
            : m_shape(shape)
            , m_tile(tile)
            , m_row(row)
        {
        }
        void write(WeightPlane plane, uint64_t unit, const void* bytes) const
        {
            const size_t size = vk::texelBytes(m_shape.layout->planes[size_t(plane)].format);
            std::memcpy(
                m_tile[size_t(plane)].data() + (unit * kTileRows + m_row) * size, bytes, size);
        }
        template <typename T>
        void writeWords(WeightPlane plane, uint64_t unit, const T& words) const
        {
            write(plane, unit, words.data());
        }

    private:
        const PackedShape& m_shape;
        const std::array<std::span<std::byte>, kWeightPlaneCount>& m_tile;
        uint32_t m_row;
    };

    using Words4 = std::array<uint32_t, 4>;
    using Words2 = std::array<uint32_t, 2>;

    template <typename T> T numberAt(const uint8_t* bytes)
    {
        T number;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }

    /// The low (or high) nibbles of 8 bytes, in order: all at once, for loading packs gigabytes.
    uint32_t nibblesOf8(const uint8_t* bytes, bool high)
    {
        uint64_t packed = numberAt<uint64_t>(bytes) >> (high ? 4 : 0) & 0x0F0F0F0F0F0F0F0Full;
        packed = (packed | packed >> 4) & 0x00FF00FF00FF00FFull;
        packed = (packed | packed >> 8) & 0x0000FFFF0000FFFFull;
        return uint32_t(packed | packed >> 16);
    }

    /// 16 bytes whose byte i holds values i and i + 16: nibbles in order.
    Words4 nibblesOf16(const uint8_t* bytes)
    {
        return { nibblesOf8(bytes, false), nibblesOf8(bytes + 8, false), nibblesOf8(bytes, true),
            nibblesOf8(bytes + 8, true) };
    }

    /// 32 bytes of which the low or the high nibble belongs to value i: nibbles in order.
    Words4 nibblesOf32(const uint8_t* bytes, bool high)
    {
        return { nibblesOf8(bytes, high), nibblesOf8(bytes + 8, high), nibblesOf8(bytes + 16, high),
            nibblesOf8(bytes + 24, high) };
    }

    /// Types with a scale for 32 columns. headBytes: before the quants in a quantBlock.
    void packBlocks32(
        TensorType type, const uint8_t* source, uint64_t columns, const RowWriter& writer)
    {
        const TensorTypeInfo& info = tensorTypeInfo(type);
        const uint64_t chunks = columns / 32;
        for (uint64_t group = 0; group * 2 < chunks; ++group) {
            Words2 scales {};
            Words2 fifth {};
            uint32_t halves = 0;
            for (uint64_t c = 0; c < 2 && group * 2 + c < chunks; ++c) {
                const uint8_t* block = source + (group * 2 + c) * info.bytesPerQuantBlock;
                halves |= uint32_t(numberAt<uint16_t>(block)) << (16 * c);
                scales[c] = numberAt<uint32_t>(block); // (d, m) of Q4_1
                const uint64_t unit = group * 2 + c;
                if (type == TensorType::Q8_0) {
                    writer.write(WeightPlane::Quants, unit * 2, block + 2);
                    writer.write(WeightPlane::Quants, unit * 2 + 1, block + 18);
                } else if (type == TensorType::Q5_0) {
                    fifth[c] = numberAt<uint32_t>(block + 2);
                    writer.writeWords(WeightPlane::Quants, unit, nibblesOf16(block + 6));
                } else {
                    writer.writeWords(WeightPlane::Quants, unit,
                        nibblesOf16(block + (type == TensorType::Q4_1 ? 4 : 2)));
                }
            }
            if (type == TensorType::Q4_1)
                writer.writeWords(WeightPlane::Scales, group, scales);
            else
                writer.write(WeightPlane::Scales, group, &halves);
            if (type == TensorType::Q5_0)
                writer.writeWords(WeightPlane::HighBits, group, fifth);
        }
    }

    /// d, dmin and the 12 bytes of scales and minima as one unit.
    Words4 scalesOfK(const uint8_t* block)
    {
        Words4 unit { numberAt<uint32_t>(block), 0, 0, 0 };
        const uint8_t* packed = block + 4;
        for (uint32_t j = 0; j < 8; ++j) {
            uint32_t scale = 0;
            uint32_t minimum = 0;
            if (j < 4) {
                scale = packed[j] & 63u;
                minimum = packed[j + 4] & 63u;
            } else {
                scale = (packed[j + 4] & 15u) | (uint32_t(packed[j - 4] >> 6) << 4);
                minimum = uint32_t(packed[j + 4] >> 4) | (uint32_t(packed[j] >> 6) << 4);
            }
            unit[1] |= (scale & 15u) << (4 * j);
            unit[2] |= (minimum & 15u) << (4 * j);
            unit[3] |= (scale >> 4) << (2 * j) | (minimum >> 4) << (16 + 2 * j);
        }
        return unit;
    }

    /// Q4_K: 16 bytes of scales, 128 of nibbles; Q5_K: 32 bytes of fifth bits between them. Chunk j
    /// has the low (even j) or high nibbles of 32 bytes, and bit j of each byte of fifth bits.
    void packQ4Q5K(
        TensorType type, const uint8_t* source, uint64_t columns, const RowWriter& writer)
    {
        const bool five = type == TensorType::Q5_K;
        const uint32_t blockBytes = tensorTypeInfo(type).bytesPerQuantBlock;
        for (uint64_t super = 0; super < columns / 256; ++super) {
            const uint8_t* block = source + super * blockBytes;
            const uint8_t* nibbles = block + (five ? 48 : 16);
            writer.writeWords(WeightPlane::Scales, super, scalesOfK(block));
            Words2 fifth {};
            for (uint32_t j = 0; j < 8; ++j) {
                writer.writeWords(WeightPlane::Quants, super * 8 + j,
                    nibblesOf32(nibbles + 32 * (j / 2), j % 2 == 1));
                if (!five)
                    continue;
                fifth[j % 2] = 0;
                for (uint32_t i = 0; i < 32; ++i)
                    fifth[j % 2] |= uint32_t(block[16 + i] >> j & 1) << i;
                if (j % 2 == 1)
                    writer.writeWords(WeightPlane::HighBits, super * 4 + j / 2, fifth);
            }
        }
    }

    /// Q6_K: 128 bytes of low nibbles, 64 of high pairs, 16 scales, d. In each half of 128 values,
    /// value l + 32 n (n = 0 .. 3) has its nibble in byte l + 32 (n % 2), low for n < 2, and its
    /// pair in bits 2n of byte l.
    void packQ6K(const uint8_t* source, uint64_t columns, const RowWriter& writer)
    {
        for (uint64_t super = 0; super < columns / 256; ++super) {
            const uint8_t* block = source + super * 210;
            const float d = halfToFloat(numberAt<uint16_t>(block + 208));
            writer.write(WeightPlane::Scales, super, block + 192);
            writer.write(WeightPlane::SuperScales, super, &d);
            for (uint32_t half = 0; half < 2; ++half) {
                const uint8_t* low = block + 64 * half;
                const uint8_t* high = block + 128 + 32 * half;
                Words4 pairs {};
                for (uint32_t n = 0; n < 4; ++n) {
                    const uint32_t chunk = half * 4 + n;
                    writer.writeWords(WeightPlane::Quants, super * 8 + chunk,
                        nibblesOf32(low + 32 * (n % 2), n >= 2));
                    if (n % 2 == 0)
                        pairs = {};
                    for (uint32_t l = 0; l < 32; ++l)
                        pairs[2 * (n % 2) + l / 16] |= uint32_t(high[l] >> (2 * n) & 3)
                            << (2 * (l % 16));
                    if (n % 2 == 1)
                        writer.writeWords(WeightPlane::HighBits, super * 4 + chunk / 2, pairs);
                }
            }
        }
    }

    void packPlain(
        TensorType type, const uint8_t* source, uint64_t columns, const RowWriter& writer)
    {
        const uint64_t rowBytes = columns * tensorTypeInfo(type).bytesPerQuantBlock;
        for (uint64_t at = 0; at < rowBytes; at += 16) {
            std::array<uint8_t, 16> unit {};
            std::memcpy(unit.data(), source + at, std::min<uint64_t>(16, rowBytes - at));
            writer.write(WeightPlane::Quants, at / 16, unit.data());
        }
    }

    void packRow(TensorType type, const uint8_t* source, uint64_t columns, const RowWriter& writer)
    {
        switch (type) {
        case TensorType::Q4_K:
        case TensorType::Q5_K:
            return packQ4Q5K(type, source, columns, writer);
        case TensorType::Q6_K:
            return packQ6K(source, columns, writer);
        case TensorType::F32:
        case TensorType::F16:
        case TensorType::BF16:
            return packPlain(type, source, columns, writer);
        default:
            return packBlocks32(type, source, columns, writer);
        }
    }
}

std::span<const WeightLayout> weightLayoutTable() { return kLayouts; }

const WeightLayout* findWeightLayout(TensorType type)
{
    for (const WeightLayout& layout : kLayouts)
        if (layout.type == type)
            return &layout;
    return nullptr;
}

PackedShape::PackedShape(TensorType type, uint64_t rowCount, uint64_t columnCount)
    : layout(findWeightLayout(type))
    , rows(rowCount)
    , columns(columnCount)
    , m_groups(uint32_t((columnCount + kGroupColumns - 1) / kGroupColumns))
{
}

uint32_t PackedShape::units(WeightPlane plane) const
{
    return uint32_t(uint64_t(layout->planes[size_t(plane)].unitsPer256Columns) * m_groups / 4);
}

uint64_t PackedShape::tileBytes(WeightPlane plane) const
{
    return uint64_t(units(plane)) * kTileRows
        * vk::texelBytes(layout->planes[size_t(plane)].format);
}

uint64_t PackedShape::tileBytes() const
{
    uint64_t bytes = 0;
    for (size_t plane = 0; plane < kWeightPlaneCount; ++plane)
        bytes += tileBytes(WeightPlane(plane));
    return bytes;
}

void packTile(const PackedShape& shape, std::span<const std::span<const std::byte>> rows,
    const std::array<std::span<std::byte>, kWeightPlaneCount>& tile)
{
    for (const auto& plane : tile)
        std::memset(plane.data(), 0, plane.size());
    for (uint32_t row = 0; row < rows.size(); ++row)
        if (!rows[row].empty())
            packRow(shape.layout->type, reinterpret_cast<const uint8_t*>(rows[row].data()),
                shape.columns, RowWriter(shape, tile, row));
}

} // namespace engine
