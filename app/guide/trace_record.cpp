#include "app/guide/trace_record.h"

#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

using nlohmann::ordered_json;

namespace app {

namespace {
    /// Every field of a record, with nothing in it.
    ordered_json emptyRecord()
    {
        ordered_json record = RunRecord(RunOpening {}).json();
        for (auto& [key, value] : record.items())
            value = nullptr;
        return record;
    }

    ordered_json tokensOf(const GuidedTrace& trace)
    {
        ordered_json tokens = ordered_json::array();
        for (const TracedPass& pass : trace.passes()) {
            ordered_json token = toJson(
                engine::TokenRecord { .bytes = pass.isEnd ? std::string() : pass.selected });
            for (const char* key : { "id", "chunk" })
                token[key] = nullptr;
            token["source"] = engine::tokenSourceName(engine::TokenSource::Supplied);
            token["position"] = int(pass.input.size());
            tokens.push_back(std::move(token));
        }
        return tokens;
    }

    ordered_json passesOf(const GuidedTrace& trace)
    {
        if (trace.passes().empty())
            return nullptr;
        ordered_json list = ordered_json::array();
        for (const TracedPass& pass : trace.passes())
            list.push_back({ { "kind", list.empty() ? "prefill" : "decode" },
                { "start_ms", nullptr }, { "host_ms", nullptr }, { "device_ms", nullptr },
                { "first_position", pass.firstComputed }, { "positions", pass.computedCount },
                { "sequences", nullptr }, { "weight_bytes", nullptr },
                { "cache_bytes", nullptr } });
        return { { "prefill", 1 }, { "decode", list.size() - 1 }, { "discarded", 0 },
            { "list", list }, { "discarded_list", ordered_json::array() } };
    }

    ordered_json stopOf(const GuidedTrace& trace)
    {
        if (!trace.reason())
            return nullptr;
        const engine::StopReasonInfo& info = engine::stopReasonInfo(*trace.reason());
        return { { "reason", info.name }, { "verdict", engine::verdictName(info.verdict) },
            { "words", info.words } };
    }
}

ordered_json traceRecord(const GuidedTrace& trace)
{
    std::string prompt;
    for (const std::string& unit : trace.prompt())
        prompt += unit;
    ordered_json record = emptyRecord();
    record["schema"] = RunRecord::kSchema;
    record["started_by"] = "guide";
    record["prompt"]
        = { { "text", prompt }, { "token_ids", nullptr }, { "draft_token_count", nullptr } };
    record["caps"] = { { "length", trace.lengthCap() }, { "context_length", nullptr },
        { "time_ms", nullptr }, { "repetition", nullptr } };
    record["stop_strings"] = ordered_json::array();
    if (!trace.stopString().empty())
        record["stop_strings"].push_back(trace.stopString());
    record["tokens"] = tokensOf(trace);
    record["not_sampled_count"] = trace.passes().size();
    record["text"] = trace.text();
    record["passes"] = passesOf(trace);
    record["stop"] = stopOf(trace);
    return record;
}

} // namespace app
