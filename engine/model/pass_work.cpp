#include "engine/model/pass_work.h"

#include "engine/model/pass_bytes.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kFloatBytes = 4;
    constexpr uint64_t kHalfBytes = 2;

    /// What a row of the table is computed from.
    struct Subject {
        const ModelConfig& config;
        const DeviceWeights& weights;
        const LayerWeights& layer;
        uint32_t window;
        std::span<const BatchRow> rows;
        uint64_t scoredCount;
    };

    OperationWork product(const WeightMatrix& weights, uint64_t tokenCount)
    {
        const uint64_t rows = weights.paddedRows();
        const uint64_t columns = uint64_t(weights.groupCount()) * kGroupColumns;
        return { std::to_string(rows) + " x " + std::to_string(columns) + " " + tensorTypeInfo(weights.type()).name,
            weights.deviceBytes() + tokenCount * (rows + columns) * kFloatBytes, tokenCount * rows * columns };
    }

    OperationWork product(const StackedMatrix& stacked, uint64_t tokenCount)
    {
        OperationWork sum;
        for (const StackedMatrix::Part& part : stacked.parts) {
            const OperationWork work = product(part.weights, tokenCount);
            sum.shape += (sum.shape.empty() ? "" : ", ") + work.shape;
            sum.bytes += work.bytes;
            sum.multiplyAdds += work.multiplyAdds;
        }
        return sum;
    }

    /// So many numbers of each row read or written.
    OperationWork rowsOf(uint64_t rowCount, uint64_t columns, uint64_t readsAndWrites)
    {
        return { std::to_string(columns), rowCount * columns * readsAndWrites * kFloatBytes, 0 };
    }

    OperationWork embedding(const Subject& subject)
    {
        const WeightMatrix& weights = subject.weights.tokenEmbedding;
        OperationWork work = rowsOf(subject.rows.size(), subject.config.embeddingLength, 1);
        work.bytes += subject.rows.size() * (weights.deviceBytes() / weights.paddedRows());
        work.shape += std::string(" ") + tensorTypeInfo(weights.type()).name;
        return work;
    }

    OperationWork rotation(const Subject& subject)
    {
        const uint64_t query = subject.config.queryLength();
        const uint64_t keysAndValues = 2 * uint64_t(subject.config.kvLength());
        return { std::to_string(query + keysAndValues),
            subject.rows.size() * ((2 * query + keysAndValues) * kFloatBytes + keysAndValues * kHalfBytes), 0 };
    }

    OperationWork attention(const Subject& subject)
    {
        uint64_t seenByRows = 0;
        for (const BatchRow& row : subject.rows) {
            const uint64_t end = uint64_t(row.position) + 1;
            const uint64_t first = subject.window > 0 && end > subject.window ? end - subject.window : 0;
            seenByRows += end - first;
        }
        const uint64_t positions = seenPositions(subject.rows, subject.window);
        const ModelConfig& config = subject.config;
        return { std::to_string(config.headCount) + " heads on " + std::to_string(config.kvHeadCount) + " of "
                + std::to_string(config.headDim),
            positions * 2 * config.kvLength() * kHalfBytes
                + subject.rows.size() * 2 * config.queryLength() * kFloatBytes,
            seenByRows * 2 * config.queryLength() };
    }

    OperationWork norm(const Subject& subject) { return rowsOf(subject.rows.size(), subject.config.embeddingLength, 2); }

    /// All operations of a layer in one dispatch.
    OperationWork wholeLayer(const Subject& subject)
    {
        OperationWork sum { "layer", 0, 0 };
        for (const OperationWork& work : { product(subject.layer.queryKeyValue, subject.rows.size()), rotation(subject),
                 attention(subject), product(subject.layer.attentionOutput, subject.rows.size()),
                 product(subject.layer.gateUp, subject.rows.size()), product(subject.layer.down, subject.rows.size()) }) {
            sum.bytes += work.bytes;
            sum.multiplyAdds += work.multiplyAdds;
        }
        return sum;
    }

    struct Row {
        const char* operation;
        OperationWork (*work)(const Subject&);
    };
    constexpr Row kTable[] {
        { "embed", embedding },
        { "residual_start", norm },
        { "attention_norm", norm },
        { "query_key_value", [](const Subject& s) { return product(s.layer.queryKeyValue, s.rows.size()); } },
        { "rope_store", rotation },
        { "attention", attention },
        { "attention_output", [](const Subject& s) { return product(s.layer.attentionOutput, s.rows.size()); } },
        { "attention_post_norm", norm },
        { "feed_forward_norm", norm },
        { "gate_up", [](const Subject& s) { return product(s.layer.gateUp, s.rows.size()); } },
        { "gated", [](const Subject& s) { return rowsOf(s.rows.size(), s.config.feedForwardLength, 3); } },
        { "down", [](const Subject& s) { return product(s.layer.down, s.rows.size()); } },
        { "feed_forward_post_norm", norm },
        { "whole_layer", wholeLayer },
        { "output_norm", [](const Subject& s) { return rowsOf(s.scoredCount, s.config.embeddingLength, 2); } },
        { "output", [](const Subject& s) { return product(s.weights.output(), s.scoredCount); } },
        { "scores_copy", [](const Subject& s) { return rowsOf(s.scoredCount, s.config.vocabularySize, 2); } },
    };
}

std::optional<OperationWork> PassWork::workOf(const std::string& operation, uint32_t layer,
    std::span<const BatchRow> rows, uint32_t scoredCount) const
{
    const auto row = std::ranges::find_if(kTable, [&](const Row& known) { return operation == known.operation; });
    if (row == std::end(kTable) || layer >= m_weights.layers.size())
        return std::nullopt;
    return row->work({ m_config, m_weights, m_weights.layers[layer], m_config.windowOf(layer), rows, scoredCount });
}

} // namespace engine
