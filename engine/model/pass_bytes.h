#pragma once

#include "engine/kernels/batch_rows.h"
#include "engine/model/device_weights.h"

#include <cstdint>
#include <span>

namespace engine {

/// What a pass has to read of the model and of the KV cache, computed from sizes and positions.
/// weights: every matrix of every layer once, as the device holds it (repacked and padded), however
/// many tiles of rows read it again; the output matrix once when the pass gives scores; of the
/// embedding one row for each row of the pass. Norms and biases, a few kilobytes, are left out.
/// cache: keys and values (f16) of every layer at the positions that any row of the pass sees, once
/// for each sequence; those the pass has just written count, those beyond a layer's window do not.
struct PassBytes {
    uint64_t weights = 0;
    uint64_t cache = 0;

    bool operator==(const PassBytes&) const = default;
};

/// scoredCount: rows whose scores the pass gives.
PassBytes passBytes(const ModelConfig& config, const DeviceWeights& weights, std::span<const BatchRow> rows,
    uint32_t scoredCount);

/// Positions that rows see in a layer with this window (0: all), once for each sequence.
uint64_t seenPositions(std::span<const BatchRow> rows, uint32_t window);

} // namespace engine
