#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace engine {

/// How much of a matrix product one workgroup takes: rows for each lane, and tokens. The result of
/// each element is the same whatever is chosen (shaders/include/dot_rows.glsl).
struct TileShape {
    uint32_t rowsPerLane = 8;
    uint32_t tokens = 1;

    bool operator==(const TileShape&) const = default;
};

/// Tokens of a workgroup, smallest first: a decode step, a few sequences side by side, a prompt.
constexpr std::array<uint32_t, 3> kTokenTiles { 1, 4, 8 };
constexpr uint32_t kMostTileTokens = kTokenTiles.back();

/// The smallest of kTokenTiles that takes so many tokens at once, else the largest.
size_t tokenTileIndex(uint32_t tokenCount);

/// rowsPerLane: a tile of weights for each workgroup, so that they are one stream; at most 8.
TileShape chooseTileShape(uint32_t lanes, uint32_t tokenCount);

} // namespace engine
