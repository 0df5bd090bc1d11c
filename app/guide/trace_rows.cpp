#include "app/guide/trace_rows.h"

namespace app {

namespace {
    std::string joined(const std::vector<std::string>& units)
    {
        std::string text;
        for (const std::string& unit : units)
            text += unit;
        return text;
    }

    std::string tokenWords(const Draft& draft, engine::TokenId id)
    {
        const auto& model = draft.origin().modelText;
        return model && model->tokenizer ? model->tokenizer->pieceText(id) : std::string();
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
            row.selected = tokenWords(draft, record.id);
            row.isEnd = draft.origin().endTokenTexts.contains(record.id);
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
    return std::to_string(count) + (count == 1 ? " new token" : " new tokens") + " = 1 prefill + "
        + std::to_string(count - 1) + (count == 2 ? " decode pass" : " decode passes");
}

} // namespace app
