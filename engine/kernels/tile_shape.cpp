#include "engine/kernels/tile_shape.h"

#include "engine/kernels/weight_layout.h"

#include <algorithm>

namespace engine {

TileShape chooseTileShape(uint32_t tileCount, uint32_t lanes, uint32_t tokenCount)
{
    TileShape shape;
    shape.tokens = tokenCount == 1 ? 1 : 4;
    // One tile a workgroup, so that its weights are one stream; half a tile where few tiles would
    // be shared out unevenly.
    shape.rowsPerLane = std::max(1u, std::min(8u, kTileRows / lanes));
    if (tileCount < 16 && tileCount % 2 == 1 && shape.rowsPerLane > 1)
        shape.rowsPerLane /= 2;
    return shape;
}

} // namespace engine
