#include "engine/kernels/tile_shape.h"

#include "engine/kernels/weight_layout.h"

#include <algorithm>

namespace engine {

size_t tokenTileIndex(uint32_t tokenCount)
{
    size_t index = 0;
    while (index + 1 < kTokenTiles.size() && kTokenTiles[index] < tokenCount)
        ++index;
    return index;
}

TileShape chooseTileShape(uint32_t lanes, uint32_t tokenCount)
{
    return { .rowsPerLane = std::max(1u, std::min(8u, kTileRows / lanes)),
        .tokens = kTokenTiles[tokenTileIndex(tokenCount)] };
}

} // namespace engine
