#include "app/inspection/token_table.h"

#include "app/runs/run_json.h"
#include "engine/tokenizer/utf8.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using nlohmann::ordered_json;

    ordered_json numberOf(const std::optional<float>& value)
    {
        return value ? ordered_json(shortest(*value)) : ordered_json();
    }
    template <typename Number> ordered_json orNull(const std::optional<Number>& value)
    {
        return value ? ordered_json(*value) : ordered_json();
    }

    ordered_json rowOf(size_t index, const TableToken& token)
    {
        const engine::TokenRecord& record = token.record;
        const auto chosen = std::ranges::find(record.top, record.id, &engine::Candidate::id);
        const bool isListed = chosen != record.top.end();
        const bool isDropped = isListed && chosen->droppedBy != engine::SamplerStage::None;
        const auto probability = record.logprob
            ? std::optional(float(std::exp(double(*record.logprob))))
            : std::nullopt;
        return {
            { "index", index },
            { "place", token.place },
            { "id", token.id },
            { "text", engine::toValidUtf8(token.bytes.empty() ? token.controlText : token.bytes) },
            { "bytes", hexOf(token.bytes) },
            { "source", engine::tokenSourceName(token.source) },
            { "position", token.position },
            { "probability", numberOf(probability) },
            { "logprob", numberOf(record.logprob) },
            { "rank", orNull(record.rank) },
            { "entropy", numberOf(record.entropy) },
            { "end_probability", numberOf(record.endProbability) },
            { "draw", orNull(record.draw) },
            { "final_probability", isListed ? numberOf(chosen->finalProbability) : ordered_json() },
            { "dropped_by",
                isDropped ? ordered_json(engine::samplerStageName(chosen->droppedBy))
                          : ordered_json() },
        };
    }

    std::string inQuotes(const std::string& field)
    {
        if (field.find_first_of(",\"\r\n") == std::string::npos && field.front() != ' '
            && field.back() != ' ')
            return field;
        std::string text = "\"";
        for (const char byte : field)
            text += byte == '"' ? "\"\"" : std::string(1, byte);
        return text + '"';
    }

    std::string fieldOf(const ordered_json& value)
    {
        if (value.is_null())
            return "";
        std::string text = dumped(value);
        if (value.is_string()) // as JSON writes it, without the quotes around it
            text = text.substr(1, text.size() - 2);
        return text.empty() ? text : inQuotes(text);
    }
}

std::string tokenTableCsv(std::span<const TableToken> tokens)
{
    std::string table;
    for (const char* column : kTokenTableColumns)
        table += std::string(table.empty() ? "" : ",") + column;
    table += '\n';
    for (size_t i = 0; i < tokens.size(); ++i) {
        const ordered_json row = rowOf(i, tokens[i]);
        for (const char* column : kTokenTableColumns)
            table += (column == kTokenTableColumns.front() ? "" : ",") + fieldOf(row[column]);
        table += '\n';
    }
    return table;
}

std::string tokenTableJson(std::span<const TableToken> tokens)
{
    ordered_json rows = ordered_json::array();
    for (size_t i = 0; i < tokens.size(); ++i)
        rows.push_back(rowOf(i, tokens[i]));
    return dumped({ { "schema", 1 }, { "tokens", std::move(rows) } }, 1) + '\n';
}

} // namespace app
