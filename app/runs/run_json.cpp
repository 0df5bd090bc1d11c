#include "app/runs/run_json.h"

#include <charconv>
#include <cmath>

using nlohmann::ordered_json;

namespace app {

namespace {
    template <typename Value> ordered_json orNull(const std::optional<Value>& value)
    {
        if constexpr (std::is_same_v<Value, float>)
            return value ? ordered_json(shortest(*value)) : ordered_json();
        else
            return value ? ordered_json(*value) : ordered_json();
    }
}

std::string hexOf(std::string_view bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (char byte : bytes) {
        text += kDigits[uint8_t(byte) >> 4];
        text += kDigits[uint8_t(byte) & 15];
    }
    return text;
}

std::string bytesOfHex(std::string_view digits)
{
    if (digits.size() % 2 != 0)
        return {};
    std::string bytes;
    for (size_t i = 0; i < digits.size(); i += 2) {
        unsigned value = 0;
        const char* end = digits.data() + i + 2;
        if (std::from_chars(digits.data() + i, end, value, 16).ptr != end)
            return {};
        bytes += char(value);
    }
    return bytes;
}

double shortest(float value)
{
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value);
    double result = double(value);
    std::from_chars(digits, written.ptr, result);
    return result;
}

std::string dumped(const ordered_json& json, int indent)
{
    return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json toJson(const engine::RunTiming& timing)
{
    return {
        { "dequeued_ms", orNull(timing.dequeuedMs) },
        { "prefill_start_ms", orNull(timing.prefillStartMs) },
        { "prefill_end_ms", orNull(timing.prefillEndMs) },
        { "first_token_ms", orNull(timing.firstTokenMs) },
        { "first_text_ms", orNull(timing.firstTextMs) },
        { "ended_ms", orNull(timing.endedMs) },
    };
}

ordered_json toJson(const engine::SamplerSettings& settings)
{
    ordered_json bias = ordered_json::array();
    for (const engine::LogitBias& entry : settings.logitBias)
        bias.push_back({ entry.id, shortest(entry.bias) });
    return {
        { "stages",
            { "penalties", "logit_bias", "top_k", "top_p", "min_p", "temperature", "draw" } },
        { "repeat_penalty", shortest(settings.repeatPenalty) },
        { "repeat_window", settings.repeatWindow },
        { "presence_penalty", shortest(settings.presencePenalty) },
        { "frequency_penalty", shortest(settings.frequencyPenalty) },
        { "logit_bias", bias },
        { "banned_token_ids", settings.bannedIds },
        { "top_k", settings.topK },
        { "top_p", shortest(settings.topP) },
        { "min_p", shortest(settings.minP) },
        { "temperature", shortest(settings.temperature) },
        { "seed", settings.seed },
    };
}

ordered_json toJson(const std::vector<engine::Candidate>& top)
{
    ordered_json list = ordered_json::array();
    for (const engine::Candidate& candidate : top)
        list.push_back(ordered_json::array({ candidate.id, shortest(candidate.logprob) }));
    return list;
}

ordered_json toJson(const engine::TokenRecord& record)
{
    return {
        { "id", record.id },
        { "bytes", hexOf(record.bytes) },
        { "source", engine::tokenSourceName(record.source) },
        { "position", record.position },
        { "logprob", orNull(record.logprob) },
        { "log_sum_exp", orNull(record.logSumExp) },
        { "rank", orNull(record.rank) },
        { "entropy", orNull(record.entropy) },
        { "end_probability", orNull(record.endProbability) },
        { "top", toJson(record.top) },
        { "draw", orNull(record.draw) },
        { "decided_ms", orNull(record.decidedMs) },
        { "arrived_ms", orNull(record.arrivedMs) },
        { "chunk", record.chunk },
    };
}

ordered_json toJson(const engine::Error& error)
{
    return { { "code", engine::errorCodeName(error.code) }, { "message", error.message } };
}

ordered_json toJson(const engine::Ledger& ledger)
{
    ordered_json entries = ordered_json::array();
    for (const engine::LedgerEntry& entry : ledger.entries)
        entries.push_back({ { "condition", engine::stopReasonInfo(entry.reason).name },
            { "held", entry.held }, { "state", entry.state } });
    return {
        { "contract_version", ledger.contractVersion },
        { "precedence", "end token, then stop string, then caps in the order of the conditions" },
        { "deciding_token_index", orNull(ledger.decidingTokenIndex) },
        { "end_token_id", orNull(ledger.endTokenId) },
        { "stop_string",
            ledger.stopStringOffset ? ordered_json(ledger.stopString) : ordered_json() },
        { "stop_string_offset", orNull(ledger.stopStringOffset) },
        { "repetition",
            ledger.repetition ? ordered_json { { "period", ledger.repetition->period },
                { "count", ledger.repetition->count } }
                              : ordered_json() },
        { "cancelled_by",
            ledger.cancelledBy ? ordered_json(engine::cancelledByName(*ledger.cancelledBy))
                               : ordered_json() },
        { "error", ledger.error ? toJson(*ledger.error) : ordered_json() },
        { "token_count", ledger.tokenCount },
        { "length_cap", ledger.lengthCap },
        { "context_used", ledger.contextUsed },
        { "context_length", ledger.contextLength },
        { "conditions", std::move(entries) },
    };
}

} // namespace app
