#include "app/runs/response_import.h"

#include "app/runs/json_document.h"
#include "app/runs/json_members.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <QDateTime>

#include <algorithm>

using engine::Error;
using engine::Result;
using engine::StopReason;
using nlohmann::ordered_json;

namespace app {

namespace {
    using enum ResponseForm;

    constexpr const char* kEither = "an end token or a stop string: the answer does not say which";

    constexpr const char* kLimit = "when n_predict was reached, or neither n_predict nor truncated is reported; "
                                   "else `context_full` when truncated, else not known";

    constexpr ReportedReason kReasons[] {
        { OpenAi, "stop", std::nullopt, kEither },
        { OpenAi, "length", StopReason::LengthCap, "some servers report a full context alike" },
        { OpenAi, "content_filter", std::nullopt, "there is no such condition here" },
        { OpenAi, "tool_calls", std::nullopt, "there is no such condition here" },
        { OpenAi, "function_call", std::nullopt, "there is no such condition here" },
        { OpenAi, "abort", StopReason::Cancelled, "" },
        { LlamaServer, "eos", StopReason::EndToken, "" },
        { LlamaServer, "word", StopReason::StopString, "" },
        { LlamaServer, "limit", StopReason::LengthCap, kLimit },
        { LlamaServer, "none", std::nullopt, "not ended, or cancelled" },
        { LlamaServer, "stopped_eos", StopReason::EndToken, "true in answers of older servers" },
        { LlamaServer, "stopped_word", StopReason::StopString, "true in answers of older servers" },
        { LlamaServer, "stopped_limit", StopReason::LengthCap, "true in answers of older servers; as limit" },
        { LmStudio, "eosFound", StopReason::EndToken, "" },
        { LmStudio, "stopStringFound", StopReason::StopString, "" },
        { LmStudio, "maxPredictedTokensReached", StopReason::LengthCap, "" },
        { LmStudio, "contextLengthReached", StopReason::ContextFull, "" },
        { LmStudio, "userStopped", StopReason::Cancelled, "" },
        { LmStudio, "modelUnloaded", StopReason::Cancelled, "" },
        { LmStudio, "failed", StopReason::Failed, "" },
        { LmStudio, "toolCalls", std::nullopt, "there is no such condition here" },
    };

    ordered_json numberOrNull(const ordered_json& json, const char* key)
    {
        const ordered_json& value = memberAt(json, key);
        return value.is_number() ? value : ordered_json();
    }
    ordered_json textOrNull(const std::string& text)
    {
        return text.empty() ? ordered_json() : ordered_json(text);
    }

    /// All fields of a record, with nothing in them.
    ordered_json emptyRecord()
    {
        return {
            { "schema", RunRecord::kSchema },
            { "engine_version", nullptr },
            { "opened_at", nullptr },
            { "started_by", "import" },
            { "imported", nullptr },
            { "checkpoint",
                { { "name", nullptr }, { "file_name", nullptr }, { "bytes", nullptr },
                    { "sha256", nullptr }, { "architecture", nullptr }, { "tensor_types", nullptr } } },
            { "tokenizer", nullptr },
            { "template", nullptr },
            { "messages", nullptr },
            { "context_policy", nullptr },
            { "sources", nullptr },
            { "prompt", { { "text", nullptr }, { "token_ids", nullptr }, { "draft_token_count", nullptr } } },
            { "sampling", nullptr },
            { "caps",
                { { "length", nullptr }, { "context_length", nullptr }, { "time_ms", nullptr },
                    { "repetition", nullptr } } },
            { "stop_strings", nullptr },
            { "ignore_end_tokens", nullptr },
            { "forced_token_ids", nullptr },
            { "device", nullptr },
            { "kv_type", nullptr },
            { "numerics_tier", nullptr },
            { "cache", nullptr },
            { "tokens", ordered_json::array() },
            { "not_sampled_count", nullptr },
            { "pause_count", nullptr },
            { "text", nullptr },
            { "waiting_bytes", nullptr },
            { "waiting_bytes_hex", nullptr },
            { "passes", nullptr },
            { "overlap", nullptr },
            { "overlap_obstacle", nullptr },
            { "times", nullptr },
            { "stop", nullptr },
            { "ledger", nullptr },
            { "requirement_check", nullptr },
            { "accepted", nullptr },
        };
    }

    /// The bytes of a reported token: as numbers where they are given, else its text.
    std::string bytesOf(const ordered_json& token)
    {
        const ordered_json& list = memberAt(token, "bytes");
        if (!list.is_array()) {
            for (const char* key : { "token", "tok_str", "content" })
                if (std::string text = textAt(token, key); !text.empty())
                    return text;
            return {};
        }
        std::string bytes;
        for (const ordered_json& byte : list)
            if (byte.is_number_unsigned() && byte.get<uint64_t>() < 256)
                bytes += char(byte.get<uint64_t>());
        return bytes;
    }

    ordered_json idOf(const ordered_json& token)
    {
        const ordered_json& id = memberAt(token, "id");
        return id.is_number_integer() ? id : ordered_json();
    }

    /// One entry of "logprobs.content", and of llama-server's "completion_probabilities".
    ordered_json tokenOf(const ordered_json& reported)
    {
        ordered_json token {
            { "id", idOf(reported) },
            { "bytes", hexOf(bytesOf(reported)) },
            { "source", "sampled" },
            { "position", nullptr },
            { "logprob", numberOrNull(reported, "logprob") },
            { "log_sum_exp", nullptr },
            { "rank", nullptr },
            { "entropy", nullptr },
            { "end_probability", nullptr },
            { "top", ordered_json::array() },
            { "draw", nullptr },
            { "decided_ms", nullptr },
            { "arrived_ms", nullptr },
            { "chunk", nullptr },
        };
        for (const ordered_json& other : memberAt(reported, "top_logprobs"))
            if (memberAt(other, "logprob").is_number())
                token["top"].push_back({ idOf(other), other["logprob"], hexOf(bytesOf(other)) });
        return token;
    }

    /// "logprobs" of /v1/completions: lists side by side, and candidates by their texts.
    void addListedTokens(const ordered_json& logprobs, ordered_json& tokens)
    {
        const ordered_json& texts = memberAt(logprobs, "tokens");
        const ordered_json& values = memberAt(logprobs, "token_logprobs");
        const ordered_json& tops = memberAt(logprobs, "top_logprobs");
        for (size_t i = 0; texts.is_array() && i < texts.size(); ++i) {
            if (!texts[i].is_string())
                continue;
            ordered_json token = tokenOf({ { "token", texts[i] } });
            if (values.is_array() && i < values.size() && values[i].is_number())
                token["logprob"] = values[i];
            if (tops.is_array() && i < tops.size() && tops[i].is_object())
                for (const auto& [text, logprob] : tops[i].items())
                    if (logprob.is_number())
                        token["top"].push_back({ nullptr, logprob, hexOf(text) });
            std::stable_sort(token["top"].begin(), token["top"].end(),
                [](const ordered_json& a, const ordered_json& b) { return a[1] > b[1]; });
            tokens.push_back(std::move(token));
        }
    }

    void setReason(ordered_json& record, const std::string& reported, std::optional<StopReason> reason)
    {
        if (reported.empty())
            return;
        ordered_json& stop = record["stop"];
        stop = { { "reason", nullptr }, { "verdict", nullptr }, { "words", nullptr },
            { "reported", reported } };
        if (!reason)
            return;
        const engine::StopReasonInfo& info = engine::stopReasonInfo(*reason);
        stop["reason"] = info.name;
        stop["verdict"] = engine::verdictName(info.verdict);
        stop["words"] = info.words;
    }

    void setImported(ordered_json& record, ResponseForm form, const ordered_json& response)
    {
        record["imported"] = {
            { "form", responseFormName(form) },
            { "id", textOrNull(textAt(response, "id")) },
            { "prompt_tokens", numberOrNull(memberAt(response, "usage"), "prompt_tokens") },
            { "completion_tokens", numberOrNull(memberAt(response, "usage"), "completion_tokens") },
            { "choice_count", nullptr },
        };
        if (memberAt(response, "created").is_number_integer()) {
            const int64_t seconds = response["created"].get<int64_t>();
            constexpr int64_t kLatest = 253402300799; // the year 9999
            if (seconds >= 0 && seconds <= kLatest)
                record["opened_at"] = QDateTime::fromSecsSinceEpoch(seconds).toUTC()
                                          .toString(Qt::ISODateWithMs)
                                          .toStdString();
        }
        record["checkpoint"]["name"] = textOrNull(textAt(response, "model"));
    }

    /// vLLM says which stop string, or which end token, beside "stop".
    void setStopDetail(ordered_json& record, const ordered_json& choice)
    {
        const ordered_json& detail = memberAt(choice, "stop_reason");
        if (textAt(choice, "finish_reason") != "stop" || detail.is_null())
            return;
        const StopReason reason = detail.is_string() ? StopReason::StopString : StopReason::EndToken;
        const engine::StopReasonInfo& info = engine::stopReasonInfo(reason);
        record["stop"]["reason"] = info.name;
        record["stop"]["verdict"] = engine::verdictName(info.verdict);
        record["stop"]["words"] = info.words;
        record["ledger"] = { { "stop_string", detail.is_string() ? detail : ordered_json() },
            { "end_token_id", detail.is_number_integer() ? detail : ordered_json() } };
    }

    /// Null of a message that calls a tool and says nothing.
    Result<ordered_json> textOf(const ordered_json& choice)
    {
        const ordered_json& message = memberAt(choice, "message");
        const ordered_json& content = memberAt(message, "content");
        if (content.is_string())
            return content;
        if (memberAt(choice, "text").is_string())
            return memberAt(choice, "text");
        if (message.is_object() && content.is_null())
            return ordered_json();
        return Error::badFile("choices[0] has neither message.content nor text");
    }

    Result<ordered_json> fromChoices(const ordered_json& response)
    {
        const ordered_json& choices = response["choices"];
        if (choices.empty() || !choices[0].is_object())
            return Error::badFile("choices holds no answer");
        const ordered_json& choice = choices[0];
        ordered_json record = emptyRecord();
        const ordered_json& stats = memberAt(response, "stats");
        const ResponseForm form = stats.is_object() ? LmStudio : OpenAi;
        setImported(record, form, response);
        record["imported"]["choice_count"] = choices.size();
        TRY_ASSIGN(record["text"], textOf(choice));
        for (const ordered_json& token : memberAt(memberAt(choice, "logprobs"), "content"))
            if (token.is_object())
                record["tokens"].push_back(tokenOf(token));
        addListedTokens(memberAt(choice, "logprobs"), record["tokens"]);
        const std::string told = textAt(stats, "stop_reason");
        const std::string finish = textAt(choice, "finish_reason");
        if (!told.empty())
            setReason(record, told, reasonFor(LmStudio, told));
        else
            setReason(record, finish, reasonFor(OpenAi, finish));
        setStopDetail(record, choice);
        if (memberAt(stats, "time_to_first_token").is_number())
            record["times"] = { { "first_token_ms", stats["time_to_first_token"].get<double>() * 1000 } };
        return record;
    }

    /// "eos", ...; older servers answer with a flag for each.
    std::string reportedByLlamaServer(const ordered_json& response)
    {
        for (const char* flag : { "stopped_eos", "stopped_word", "stopped_limit" })
            if (memberAt(response, flag) == true)
                return flag;
        return textAt(response, "stop_type");
    }

    /// A reached cap and a full context are the same word there.
    std::optional<StopReason> reasonOfLimit(const ordered_json& response)
    {
        const ordered_json& truncated = memberAt(response, "truncated");
        const auto cap = numberAt<int64_t>(memberAt(response, "generation_settings"), "n_predict");
        const auto count = numberAt<int64_t>(response, "tokens_predicted");
        const bool isReached = cap && *cap > 0 && count && *count >= *cap;
        if (isReached || (!cap && truncated.is_null()))
            return StopReason::LengthCap;
        if (truncated == true)
            return StopReason::ContextFull;
        return std::nullopt;
    }

    void setLlamaReason(ordered_json& record, const ordered_json& response)
    {
        const std::string reported = reportedByLlamaServer(response);
        const bool isLimit = reported == "limit" || reported == "stopped_limit";
        setReason(record, reported, isLimit ? reasonOfLimit(response) : reasonFor(LlamaServer, reported));
    }

    /// Settings that mean the same there: another one, or a value that has no meaning here, stays null.
    void setLlamaSampling(ordered_json& record, const ordered_json& settings)
    {
        enum class Kind { Count, Positive, Any };
        struct Counterpart {
            const char* there;
            const char* here;
            Kind kind;
        };
        constexpr Counterpart kCounterparts[] { { "repeat_penalty", "repeat_penalty", Kind::Positive },
            { "repeat_last_n", "repeat_window", Kind::Count }, { "presence_penalty", "presence_penalty", Kind::Any },
            { "frequency_penalty", "frequency_penalty", Kind::Any }, { "top_k", "top_k", Kind::Count },
            { "top_p", "top_p", Kind::Positive }, { "min_p", "min_p", Kind::Positive },
            { "temperature", "temperature", Kind::Positive }, { "seed", "seed", Kind::Count } };
        constexpr int64_t kRandomSeed = 0xFFFFFFFF; // it drew one, and does not say which
        ordered_json sampling = toJson(engine::SamplerSettings {});
        for (ordered_json& value : sampling)
            value = nullptr;
        bool isAnyKnown = false;
        for (const Counterpart& setting : kCounterparts) {
            const ordered_json& value = memberAt(settings, setting.there);
            const bool isOfKind = setting.kind == Kind::Count ? value.is_number_integer() : value.is_number();
            if (!isOfKind || (setting.kind != Kind::Any && value < 0)
                || (std::string_view(setting.here) == "seed" && value == kRandomSeed))
                continue;
            sampling[setting.here] = value;
            isAnyKnown = true;
        }
        if (isAnyKnown)
            record["sampling"] = std::move(sampling);
    }

    /// What it was asked for, where it says so.
    void setLlamaSettings(ordered_json& record, const ordered_json& settings)
    {
        const auto cap = numberAt<int64_t>(settings, "n_predict"); // -1: none
        if (cap && *cap > 0)
            record["caps"]["length"] = *cap;
        const auto context = numberAt<int64_t>(settings, "n_ctx");
        if (context && *context > 0)
            record["caps"]["context_length"] = *context;
        const ordered_json& stops = memberAt(settings, "stop");
        const bool areTexts = stops.is_array()
            && std::all_of(stops.begin(), stops.end(), [](const ordered_json& stop) { return stop.is_string(); });
        if (areTexts)
            record["stop_strings"] = stops;
        setLlamaSampling(record, settings);
    }

    Result<ordered_json> fromLlamaServer(const ordered_json& response)
    {
        ordered_json record = emptyRecord();
        setImported(record, LlamaServer, response);
        record["imported"]["prompt_tokens"] = numberOrNull(response, "tokens_evaluated");
        record["imported"]["completion_tokens"] = numberOrNull(response, "tokens_predicted");
        record["text"] = textAt(response, "content");
        record["prompt"]["text"] = textOrNull(textAt(response, "prompt"));
        for (const ordered_json& token : memberAt(response, "completion_probabilities"))
            if (token.is_object())
                record["tokens"].push_back(tokenOf(token));
        setLlamaReason(record, response);
        setLlamaSettings(record, memberAt(response, "generation_settings"));
        if (const std::string word = textAt(response, "stopping_word"); !word.empty())
            record["ledger"] = { { "stop_string", word } };
        const ordered_json& timings = memberAt(response, "timings");
        if (memberAt(timings, "prompt_ms").is_number())
            record["times"] = { { "prompt_ms", timings["prompt_ms"] },
                { "predicted_ms", numberOrNull(timings, "predicted_ms") } };
        return record;
    }
}

const char* responseFormName(ResponseForm form)
{
    switch (form) {
    case OpenAi:
        return "an OpenAI-style server";
    case LlamaServer:
        return "llama-server";
    case LmStudio:
        break;
    }
    return "LM Studio";
}

std::span<const ReportedReason> reportedReasons() { return kReasons; }

std::optional<StopReason> reasonFor(ResponseForm form, std::string_view reported)
{
    for (const ReportedReason& row : kReasons)
        if (row.form == form && reported == row.reported)
            return row.reason;
    return std::nullopt;
}

Result<ordered_json> recordFromResponse(std::string_view json)
{
    const auto parsed = parsedJson<ordered_json>(json);
    if (!parsed)
        return Error::badFile("it is not whole JSON: damaged, cut off or something else");
    const ordered_json& response = *parsed;
    if (memberAt(response, "choices").is_array())
        return fromChoices(response);
    if (memberAt(response, "content").is_string()
        && (memberAt(response, "stop_type").is_string() || memberAt(response, "tokens_predicted").is_number()))
        return fromLlamaServer(response);
    return Error::badFile("it is no response of a known server: neither \"choices\" nor "
                          "\"content\" with \"stop_type\"");
}

} // namespace app
