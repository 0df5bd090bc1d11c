#include "engine/model/pass_bytes.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kHalfBytes = 2;

    uint64_t bytesOf(const StackedMatrix& stacked)
    {
        uint64_t bytes = 0;
        for (const StackedMatrix::Part& part : stacked.parts)
            bytes += part.weights.deviceBytes();
        return bytes;
    }
}

uint64_t seenPositions(std::span<const BatchRow> rows, uint32_t window)
{
    struct Seen { // of one sequence
        uint32_t table = 0;
        uint64_t first = 0;
        uint64_t end = 0;
    };
    std::vector<Seen> sequences;
    for (const BatchRow& row : rows) {
        const uint64_t end = uint64_t(row.position) + 1;
        const uint64_t first = window > 0 && end > window ? end - window : 0;
        const auto known = std::ranges::find(sequences, row.table, &Seen::table);
        if (known == sequences.end())
            sequences.push_back({ row.table, first, end });
        else
            *known = { row.table, std::min(known->first, first), std::max(known->end, end) };
    }
    uint64_t positions = 0;
    for (const Seen& seen : sequences)
        positions += seen.end - seen.first;
    return positions;
}

PassBytes passBytes(const ModelConfig& config, const DeviceWeights& weights, std::span<const BatchRow> rows,
    uint32_t scoredCount)
{
    PassBytes bytes;
    bytes.weights = rows.size() * (weights.tokenEmbedding.deviceBytes() / weights.tokenEmbedding.paddedRows());
    for (const LayerWeights& layer : weights.layers)
        bytes.weights += bytesOf(layer.queryKeyValue) + layer.attentionOutput.deviceBytes() + bytesOf(layer.gateUp)
            + layer.down.deviceBytes();
    if (scoredCount > 0)
        bytes.weights += weights.output().deviceBytes();
    for (uint32_t layer = 0; layer < config.layerCount; ++layer)
        bytes.cache += seenPositions(rows, config.windowOf(layer)) * 2 * config.kvLength() * kHalfBytes;
    return bytes;
}

} // namespace engine
