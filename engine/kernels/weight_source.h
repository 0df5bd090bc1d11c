#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace engine {

/// Reads raw rows of a tensor, as the file has them: rows [firstRow, firstRow + n) into bytes.
using RowReader = std::function<Result<void>(uint64_t firstRow, std::span<std::byte> bytes)>;

/// One tensor among those stacked into a matrix.
struct WeightPart {
    uint64_t rows = 0;
    RowReader read;
    /// Rows of this many are reordered from interleaved to split halves for RoPE: row 2i goes to i,
    /// row 2i + 1 to half + i. 0: kept in order.
    uint32_t interleavedHeadDim = 0;
};

/// Called after each piece with the bytes of the file that were read; returns false to stop.
using PieceProgress = std::function<bool(uint64_t bytes)>;

} // namespace engine
