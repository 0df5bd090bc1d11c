#include "app/runs/run_reading.h"

#include "app/runs/json_members.h"
#include "app/runs/pass_list.h"
#include "app/runs/run_json.h"

using nlohmann::ordered_json;

namespace app {

namespace {
    template <typename Number>
    void readNumber(const ordered_json& json, const char* key, Number& to)
    {
        if (const auto value = numberAt<Number>(json, key))
            to = *value;
    }

    bool boolAt(const ordered_json& json, const char* key)
    {
        const ordered_json& value = memberAt(json, key);
        return value.is_boolean() && value.get<bool>();
    }

    engine::TokenIds idsAt(const ordered_json& json, const char* key)
    {
        engine::TokenIds ids;
        for (const ordered_json& id : memberAt(json, key))
            if (id.is_number_integer())
                ids.push_back(id.get<engine::TokenId>());
        return ids;
    }

    engine::ErrorCode errorCodeOf(const std::string& name)
    {
        for (int code = int(engine::ErrorCode::BadFile); code <= int(engine::ErrorCode::Io); ++code)
            if (name == engine::errorCodeName(engine::ErrorCode(code)))
                return engine::ErrorCode(code);
        return engine::ErrorCode::BadRequest;
    }

    std::optional<engine::CancelledBy> cancellerOf(const std::string& name)
    {
        for (const auto by : { engine::CancelledBy::User, engine::CancelledBy::Closing,
                 engine::CancelledBy::ModelUnloaded })
            if (name == engine::cancelledByName(by))
                return by;
        return std::nullopt;
    }

    engine::Ledger ledgerOf(const ordered_json& json, engine::StopReason reason)
    {
        engine::Ledger ledger;
        ledger.reason = reason;
        readNumber(json, "contract_version", ledger.contractVersion);
        ledger.decidingTokenIndex = numberAt<int>(json, "deciding_token_index");
        ledger.endTokenId = numberAt<engine::TokenId>(json, "end_token_id");
        ledger.stopString = textAt(json, "stop_string");
        ledger.stopStringOffset = numberAt<int64_t>(json, "stop_string_offset");
        ledger.cancelledBy = cancellerOf(textAt(json, "cancelled_by"));
        if (memberAt(json, "error").is_object())
            ledger.error = engine::Error {
                errorCodeOf(textAt(memberAt(json, "error"), "code")),
                textAt(memberAt(json, "error"), "message"),
            };
        if (const ordered_json& repetition = memberAt(json, "repetition"); repetition.is_object()) {
            ledger.repetition.emplace();
            readNumber(repetition, "period", ledger.repetition->period);
            readNumber(repetition, "count", ledger.repetition->count);
        }
        readNumber(json, "token_count", ledger.tokenCount);
        readNumber(json, "length_cap", ledger.lengthCap);
        readNumber(json, "context_used", ledger.contextUsed);
        readNumber(json, "context_length", ledger.contextLength);
        for (const ordered_json& entry : memberAt(json, "conditions"))
            if (const auto condition = engine::findStopReason(textAt(entry, "condition")))
                ledger.entries.push_back(
                    { *condition, boolAt(entry, "held"), textAt(entry, "state") });
        return ledger;
    }

    std::optional<engine::CacheMiss> missOf(const std::string& name)
    {
        for (int i = 0; i <= int(engine::CacheMiss::NoRoom); ++i)
            if (name == engine::cacheMissName(engine::CacheMiss(i)))
                return engine::CacheMiss(i);
        return std::nullopt;
    }

    std::optional<engine::KvRoom> roomOf(const ordered_json& json)
    {
        engine::KvRoom room;
        if (!json.is_object())
            return std::nullopt;
        readNumber(json, "pages", room.pageCount);
        readNumber(json, "tokens_per_page", room.pageTokens);
        readNumber(json, "bytes_per_page", room.pageBytes);
        readNumber(json, "tokens", room.tokenCount);
        return room;
    }

    PromptOrigin originOf(const std::string& name)
    {
        for (int i = 0; i < kPromptOriginCount; ++i)
            if (name == promptOriginName(PromptOrigin(i)))
                return PromptOrigin(i);
        return PromptOrigin::Unknown;
    }

    RecordedSpans spansOf(const ordered_json& json)
    {
        if (!json.is_array())
            return std::nullopt;
        std::vector<RecordedSpan> spans;
        for (const ordered_json& entry : json)
            spans.push_back({ originOf(textAt(entry, "origin")),
                numberAt<size_t>(entry, "start").value_or(0),
                numberAt<size_t>(entry, "end").value_or(0),
                numberAt<int>(entry, "message").value_or(-1) });
        return spans;
    }

    engine::RunTiming timingOf(const ordered_json& json)
    {
        return {
            .dequeuedMs = numberAt<double>(json, "dequeued_ms"),
            .prefillStartMs = numberAt<double>(json, "prefill_start_ms"),
            .prefillEndMs = numberAt<double>(json, "prefill_end_ms"),
            .firstTokenMs = numberAt<double>(json, "first_token_ms"),
            .firstTextMs = numberAt<double>(json, "first_text_ms"),
            .endedMs = numberAt<double>(json, "ended_ms"),
        };
    }

    std::optional<engine::RunEnded> endingOf(const ordered_json& record)
    {
        const auto reason = engine::findStopReason(textAt(memberAt(record, "stop"), "reason"));
        if (!reason)
            return std::nullopt;
        engine::RunEnded ended;
        ended.ledger = ledgerOf(memberAt(record, "ledger"), *reason);
        ended.text = textAt(record, "text");
        ended.waitingBytes = bytesOfHex(textAt(record, "waiting_bytes_hex"));
        const ordered_json& cache = memberAt(record, "cache");
        readNumber(cache, "reused_tokens", ended.cache.reusedTokens);
        readNumber(cache, "computed_tokens", ended.cache.computedTokens);
        ended.cache.firstMissPosition = numberAt<int>(cache, "first_miss_position");
        ended.cache.missCause = textAt(cache, "miss_cause");
        ended.cache.miss = missOf(textAt(cache, "miss"));
        ended.cache.heldToken = numberAt<engine::TokenId>(cache, "held_token");
        ended.cache.room = roomOf(memberAt(cache, "room"));
        readNumber(cache, "prefill_chunks", ended.prefillChunkCount);
        readNumber(memberAt(record, "passes"), "decode", ended.decodePassCount);
        readNumber(memberAt(record, "passes"), "discarded", ended.discardedPassCount);
        ended.overlap.isUsed = boolAt(record, "overlap");
        ended.overlap.obstacle = textAt(record, "overlap_obstacle");
        ended.timing = timingOf(memberAt(record, "times"));
        for (const ordered_json& token : memberAt(record, "tokens"))
            if (const auto id = numberAt<engine::TokenId>(token, "id"))
                ended.tokenIds.push_back(*id);
        return ended;
    }
}

engine::SamplerSettings readSampling(const ordered_json& json)
{
    engine::SamplerSettings settings;
    readNumber(json, "repeat_penalty", settings.repeatPenalty);
    readNumber(json, "repeat_window", settings.repeatWindow);
    readNumber(json, "presence_penalty", settings.presencePenalty);
    readNumber(json, "frequency_penalty", settings.frequencyPenalty);
    readNumber(json, "top_k", settings.topK);
    readNumber(json, "top_p", settings.topP);
    readNumber(json, "min_p", settings.minP);
    readNumber(json, "temperature", settings.temperature);
    readNumber(json, "seed", settings.seed);
    for (const ordered_json& entry : memberAt(json, "logit_bias"))
        if (entry.is_array() && entry.size() == 2 && entry[0].is_number_integer()
            && entry[1].is_number())
            settings.logitBias.push_back(
                { entry[0].get<engine::TokenId>(), entry[1].get<float>() });
    settings.bannedIds = idsAt(json, "banned_token_ids");
    return settings;
}

RunReading readRunRecord(const ordered_json& record)
{
    RunReading reading;
    if (const ordered_json& grid = memberAt(record, "grid"); grid.is_object())
        reading.grid = { textAt(grid, "id"), textAt(grid, "label"), numberAt<int64_t>(grid, "beside_run") };
    reading.startedBy = textAt(record, "started_by");
    const ordered_json& checkpoint = memberAt(record, "checkpoint");
    reading.modelName = textAt(checkpoint, "name");
    reading.checkpointFile = textAt(checkpoint, "file_name");
    readNumber(checkpoint, "bytes", reading.checkpointBytes);
    reading.kvType = textAt(record, "kv_type");
    reading.deviceName = textAt(memberAt(record, "device"), "name");
    reading.templateFamily = textAt(memberAt(record, "template"), "family");
    for (const ordered_json& entry : memberAt(memberAt(record, "tokenizer"), "end_tokens"))
        if (entry.is_array() && entry.size() == 2 && entry[0].is_number_integer()
            && entry[1].is_string())
            reading.endTokenTexts.emplace(
                entry[0].get<engine::TokenId>(), entry[1].get<std::string>());

    const ordered_json& prompt = memberAt(record, "prompt");
    reading.promptText = textAt(prompt, "text");
    for (const ordered_json& source : memberAt(record, "sources"))
        reading.sources.push_back({ textAt(source, "name"), textAt(source, "sha256"),
            numberAt<int>(source, "token_count"), numberAt<size_t>(source, "prompt_start"),
            numberAt<size_t>(source, "prompt_end") });
    reading.promptSpans = spansOf(memberAt(record, "prompt_spans"));
    readNumber(memberAt(record, "context_policy"), "dropped_messages", reading.droppedMessageCount);
    engine::GenerationRequest& request = reading.request;
    request.promptIds = idsAt(prompt, "token_ids");
    readNumber(prompt, "draft_token_count", request.draftTokenCount);
    request.sampling = readSampling(memberAt(record, "sampling"));
    readNumber(memberAt(record, "caps"), "length", request.lengthCap);
    request.timeCapMs = numberAt<int>(memberAt(record, "caps"), "time_ms");
    if (const ordered_json& guard = memberAt(memberAt(record, "caps"), "repetition"); guard.is_object()) {
        request.repetitionGuard.emplace();
        readNumber(guard, "longest_period", request.repetitionGuard->longestPeriod);
        readNumber(guard, "repeat_count", request.repetitionGuard->repeatCount);
    }
    for (const ordered_json& stop : memberAt(record, "stop_strings"))
        if (stop.is_string())
            request.stopStrings.push_back(stop.get<std::string>());
    request.ignoreEndTokens = boolAt(record, "ignore_end_tokens");
    request.forcedIds = idsAt(record, "forced_token_ids");
    request.bannedFirstIds = idsAt(record, "banned_first_token_ids");

    readNumber(record, "not_sampled_count", reading.notSampledCount);
    reading.window = readWindowTimes(memberAt(record, "times"));
    reading.passes = readPasses(memberAt(record, "passes"));
    reading.ending = endingOf(record);
    return reading;
}

} // namespace app
