#pragma once

#include <cstdint>

namespace engine {

/// How much of a matrix product one workgroup takes: rows for each lane, and tokens. The result of
/// each element is the same whatever is chosen (shaders/include/dot_rows.glsl).
struct TileShape {
    uint32_t rowsPerLane = 8;
    uint32_t tokens = 1;

    bool operator==(const TileShape&) const = default;
};

/// tokens: 1 for a decode step, else tiles of 4. rowsPerLane: at most 8 (4 pairs), fewer where the
/// rows would not give every thread of the device an equal share.
TileShape chooseTileShape(uint32_t tileCount, uint32_t lanes, uint32_t tokenCount);

} // namespace engine
