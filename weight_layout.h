#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"
#include "engine/vulkan/texel_view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace engine {

/// Rows of a tile: planes are [tile][unit along k][row of the tile].
constexpr uint32_t kTileRows = 64;
/// Columns that share one fetch of scales; columns are padded to it with zeros.
constexpr uint32_t kGroupColumns = 64;

/// The planes that the weights of a matrix are split into, in the order of their bindings.
enum class WeightPlane : uint8_t { Quants, Scales, HighBits, SuperScales, Count };
constexpr size_t kWeightPlaneCount = size_t(WeightPlane::Count);

/// One plane: units of this format, so many for each group of 64 columns (or for each 256).
struct WeightPlaneInfo {
    vk::TexelFormat format = vk::TexelFormat::UInt4;
    uint32_t unitsPer256Columns = 0; ///< 0: this type has no such plane
};

/// One row of the only table of weight layouts. Bits, per 32 columns i = 0 .. 31:
/// 4-bit parts: nibble i of a 16-byte unit, lowest first; 8 bits: byte i of two units; 16 and 32
/// bits: in order. Fifth bits: bit i of a word. Two high bits of Q6_K: bits 2i of two words of 16.
/// Scales: Q4_1 (d, m) halves a chunk; Q4_0, Q5_0, Q8_0 d halves of two chunks; Q4_K and Q5_K per
/// 256: d and dmin, low nibbles of 8 scales, of 8 minima, their two high bits; Q6_K: 16 bytes.
/// SuperScales: d of Q6_K as f32. Shader side: shaders/include/weights.glsl.
struct WeightLayout {
    TensorType type;
    const char* suffix; ///< of shader names: "q4_1"
    std::array<WeightPlaneInfo, kWeightPlaneCount> planes;
};

std::span<const WeightLayout> weightLayoutTable();
/// The row of a type that runs, or nullptr.
const WeightLayout* findWeightLayout(TensorType type);

/// Sizes of a packed matrix.
struct PackedShape {
    PackedShape(TensorType type, uint64_t rowCount, uint64_t columnCount);

    const WeightLayout* layout;
    uint64_t rows;
    uint64_t columns;
    uint32_t tiles() const { return uint32_t((rows + kTileRows - 1) / kTileRows); }
    uint32_t groups() const { return m_groups; }
    uint32_t units(WeightPlane plane) const; ///< of a row in this plane
    uint64_t tileBytes(WeightPlane plane) const; ///< of one tile in this plane
    uint64_t tileBytes() const; ///< of one tile in all planes

private:
    uint32_t m_groups;
};

/// Packs one tile. rows: up to 64 rows of quantBlocks as the file has them, each rowBytes long, or
/// empty spans for rows of zeros; tile: the tile's part of each plane, overwritten whole.
void packTile(const PackedShape& shape, std::span<const std::span<const std::byte>> rows,
    const std::array<std::span<std::byte>, kWeightPlaneCount>& tile);

} // namespace engine
