#include "app/guide/trace_rows.h"

#include <algorithm>

namespace app {

namespace {
    std::string joined(const std::vector<std::string>& units)
    {
        std::string text;
        for (const std::string& unit : units)
            text += unit;
        return text;
    }

    bool isEndToken(const DraftOrigin& origin, engine::TokenId id)
    {
        if (origin.endTokenTexts.contains(id)) // a draft that was read back
            return true;
        return origin.modelText && origin.modelText->tokenizer
            && std::ranges::count(origin.modelText->tokenizer->vocabulary().endTokenIds(), id) > 0;
    }
}

std::vector<TraceRow> traceRows(const GuidedTrace& trace)
{
    std::vector<TraceRow> rows;
    for (const TracedPass& pass : trace.passes())
        rows.push_back({ joined(pass.input), pass.computedCount, pass.cacheAfter, pass.selected, {},
            pass.isEnd });
    return rows;
}

std::vector<TraceRow> traceRows(const Draft& draft)
{
    std::vector<TraceRow> rows;
    const auto& records = draft.records();
    std::string said;
    size_t token = 0;
    for (const engine::RunPass& pass : draft.passes()) {
        if (pass.kind == engine::PassKind::Discarded)
            continue;
        TraceRow row;
        row.input = draft.origin().promptText + said;
        row.computedCount = pass.positionCount;
        row.cacheAfter = pass.firstPosition + pass.positionCount;
        row.hostMs = pass.hostMs;
        const bool readsAll = *row.cacheAfter >= int(draft.origin().request.promptIds.size());
        if (readsAll && token < records.size()) {
            const engine::TokenRecord& record = records[token++];
            row.selected = draft.origin().tokenText(record.id);
            row.isEnd = isEndToken(draft.origin(), record.id);
            said += record.bytes;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string passSum(const Draft& draft)
{
    const int count = draft.tokenCount();
    if (count == 0)
        return {};
    int chunkCount = 0;
    int decodeCount = 0;
    for (const engine::RunPass& pass : draft.passes()) {
        chunkCount += pass.kind == engine::PassKind::Prefill;
        decodeCount += pass.kind == engine::PassKind::Decode;
    }
    std::string words = std::to_string(count) + (count == 1 ? " new token" : " new tokens");
    if (chunkCount == 0)
        return words + "; its passes were not noted";
    // A pass is told with the token after it while the run is under way.
    words += decodeCount + 1 == count ? " = " : " so far: ";
    words += "1 prefill";
    if (chunkCount > 1)
        words += " (in " + std::to_string(chunkCount) + " parts)";
    return words + " + " + std::to_string(decodeCount)
        + (decodeCount == 1 ? " decode pass" : " decode passes");
}

PositionSum positionSum(const std::vector<TraceRow>& rows)
{
    PositionSum sum;
    if (!rows.empty())
        sum.fromBefore = rows[0].cacheAfter.value_or(rows[0].computedCount) - rows[0].computedCount;
    for (const TraceRow& row : rows) {
        sum.withCache += row.computedCount;
        // The parts of a prompt are one pass.
        if (!row.selected.empty() || row.isEnd)
            sum.withoutCache += row.cacheAfter.value_or(0);
    }
    return sum;
}

} // namespace app
