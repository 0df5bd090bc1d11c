#include "app/runs/run_record.h"

#include "app/runs/pass_list.h"
#include "app/runs/run_json.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>

#include <filesystem>

using nlohmann::ordered_json;

namespace app {

namespace {
    ordered_json textOrNull(const std::string& text)
    {
        return text.empty() ? ordered_json() : ordered_json(text);
    }

    template <typename Value> ordered_json orNull(const std::optional<Value>& value)
    {
        return value ? ordered_json(*value) : ordered_json();
    }

    ordered_json checkpointOf(const RunOpening& opening)
    {
        const engine::ModelDescription& model = opening.model;
        return {
            { "file_name", std::filesystem::path(model.path).filename().string() },
            { "bytes", model.fileBytes },
            { "sha256", orNull(opening.checkpointHash) },
            { "name", textOrNull(model.name) },
            { "architecture", textOrNull(model.architecture) },
            { "tensor_types", textOrNull(model.tensorTypes) },
        };
    }

    ordered_json templateOf(const RunOpening& opening)
    {
        if (!opening.templateFamily)
            return nullptr;
        ordered_json json {
            { "family", *opening.templateFamily },
            { "sha256", nullptr },
            { "default_system_text", nullptr },
        };
        if (opening.templateSource)
            json["sha256"] = sha256Hex(*opening.templateSource);
        // A built-in template adds none of its own.
        if (opening.text)
            json["default_system_text"] = std::string();
        if (opening.text && *opening.templateFamily == "own")
            json["default_system_text"] = opening.text->offer.defaultSystemText;
        return json;
    }

    /// [[id, piece], ...]: the ids that end a generation.
    ordered_json endTokensOf(const engine::ModelText* text)
    {
        if (!text || !text->tokenizer)
            return nullptr;
        ordered_json list = ordered_json::array();
        for (engine::TokenId id : text->tokenizer->vocabulary().endTokenIds())
            list.push_back(ordered_json::array({ id, text->tokenizer->pieceText(id) }));
        return list;
    }

    ordered_json repetitionOf(const std::optional<engine::RepetitionLimits>& limits)
    {
        if (!limits)
            return nullptr;
        return { { "longest_period", limits->longestPeriod },
            { "repeat_count", limits->repeatCount } };
    }

    ordered_json contextPolicyOf(const RunOpening& opening)
    {
        if (opening.contextPolicy.empty())
            return nullptr;
        return { { "name", opening.contextPolicy },
            { "dropped_messages", opening.droppedMessageCount } };
    }

    ordered_json sourcesOf(const RunOpening& opening)
    {
        if (!opening.sources)
            return nullptr;
        ordered_json list = ordered_json::array();
        for (const RecordedSource& source : *opening.sources)
            list.push_back({ { "name", source.name }, { "sha256", source.sha256 },
                { "token_count", orNull(source.tokenCount) },
                { "prompt_start", orNull(source.promptStart) },
                { "prompt_end", orNull(source.promptEnd) } });
        return list;
    }

    ordered_json spansOf(const RecordedSpans& spans)
    {
        if (!spans)
            return nullptr;
        ordered_json list = ordered_json::array();
        for (const RecordedSpan& span : *spans)
            list.push_back({ { "origin", promptOriginName(span.origin) },
                { "start", span.promptStart }, { "end", span.promptEnd },
                { "message", span.message < 0 ? ordered_json() : ordered_json(span.message) } });
        return list;
    }

    ordered_json gridOf(const std::optional<GridPlace>& grid)
    {
        if (!grid)
            return nullptr;
        return { { "id", grid->id }, { "label", grid->label },
            { "beside_run", orNull(grid->besideRun) } };
    }

    ordered_json roomOf(const std::optional<engine::KvRoom>& room)
    {
        if (!room)
            return nullptr;
        return { { "pages", room->pageCount }, { "tokens_per_page", room->pageTokens },
            { "bytes_per_page", room->pageBytes }, { "tokens", room->tokenCount } };
    }

    ordered_json deviceOf(const engine::DeviceDescription& device)
    {
        return {
            { "name", textOrNull(device.name) },
            { "kind", textOrNull(device.kind) },
            { "driver", textOrNull(device.driver) },
            { "uuid", textOrNull(device.uuid) },
        };
    }
}

RunRecord::RunRecord(const RunOpening& opening)
{
    const engine::GenerationRequest& request = opening.request;
    ordered_json vocabularyHash;
    if (opening.vocabularyHash)
        vocabularyHash = *opening.vocabularyHash;
    else if (opening.text && opening.text->tokenizer)
        vocabularyHash = vocabularySha256(opening.text->tokenizer->vocabulary());
    m_json = {
        { "schema", kSchema },
        { "engine_version", TOKENGLASS_VERSION },
        { "opened_at", opening.openedAt.empty() ? isoNow() : opening.openedAt },
        { "started_by", opening.startedBy },
        { "grid", gridOf(opening.grid) },
        { "checkpoint", checkpointOf(opening) },
        { "tokenizer",
            { { "kind", textOrNull(opening.model.tokenizerName) },
                { "vocabulary_sha256", vocabularyHash },
                { "end_tokens", endTokensOf(opening.text) } } },
        { "template", templateOf(opening) },
        { "messages", opening.messages },
        { "context_policy", contextPolicyOf(opening) },
        { "sources", sourcesOf(opening) },
        { "prompt",
            { { "text", opening.promptText }, { "token_ids", request.promptIds },
                { "draft_token_count", request.draftTokenCount } } },
        { "prompt_spans", spansOf(opening.promptSpans) },
        { "sampling", toJson(request.sampling) },
        { "caps",
            { { "length", request.lengthCap }, { "context_length", opening.model.contextLength },
                { "time_ms",
                    request.timeCapMs ? ordered_json(*request.timeCapMs) : ordered_json() },
                { "repetition", repetitionOf(request.repetitionGuard) } } },
        { "stop_strings", request.stopStrings },
        { "ignore_end_tokens", request.ignoreEndTokens },
        { "forced_token_ids", request.forcedIds },
        { "banned_first_token_ids", request.bannedFirstIds },
        { "device", deviceOf(opening.model.device) },
        { "kv_type", textOrNull(opening.model.kvType) },
        { "numerics_tier", textOrNull(opening.model.numericsTier) },
        { "cache", nullptr },
        { "tokens", ordered_json::array() },
        { "not_sampled_count", 0 },
        { "pause_count", 0 },
        { "text", "" },
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

void RunRecord::apply(const engine::GenerationEvent& event)
{
    std::visit([this](const auto& happened) { applyTo(happened); }, event);
}

void RunRecord::applyTo(const engine::PrefillProgress& progress)
{
    m_passes.insert(m_passes.end(), progress.passes.begin(), progress.passes.end());
}

void RunRecord::applyTo(const engine::TokenDecoded& decoded)
{
    m_passes.insert(m_passes.end(), decoded.passes.begin(), decoded.passes.end());
    m_json["tokens"].push_back(toJson(decoded.record));
    countToken(decoded.record);
    m_json["text"].get_ref<std::string&>() += decoded.text;
}

void RunRecord::countToken(const engine::TokenRecord& token)
{
    if (token.source != engine::TokenSource::Sampled)
        m_json["not_sampled_count"] = ++m_notSampledCount;
}

void RunRecord::applyTo(const engine::RunPaused&)
{
    m_json["pause_count"] = m_json["pause_count"].get<int>() + 1;
}

void RunRecord::applyTo(const engine::TextReleased& released)
{
    m_json["text"].get_ref<std::string&>() += released.text;
}

void RunRecord::applyTo(const engine::RunEnded& ended)
{
    const engine::StopReasonInfo& info = engine::stopReasonInfo(ended.ledger.reason);
    const bool wasRead = ended.timing.prefillEndMs.has_value();
    if (wasRead) {
        m_json["cache"] = {
            { "used", ended.cache.reusedTokens > 0 },
            { "reused_tokens", ended.cache.reusedTokens },
            { "computed_tokens", ended.cache.computedTokens },
            { "first_miss_position",
                ended.cache.firstMissPosition ? ordered_json(*ended.cache.firstMissPosition)
                                              : ordered_json() },
            { "miss_cause", textOrNull(ended.cache.missCause) },
            { "miss",
                ended.cache.miss ? ordered_json(engine::cacheMissName(*ended.cache.miss))
                                 : ordered_json() },
            { "held_token", orNull(ended.cache.heldToken) },
            { "room", roomOf(ended.cache.room) },
            { "prefill_chunks", ended.prefillChunkCount },
        };
    }
    m_json["text"] = ended.text;
    m_json["waiting_bytes"] = ended.waitingBytes.size();
    m_json["waiting_bytes_hex"] = hexOf(ended.waitingBytes);
    m_json["passes"] = { { "prefill", wasRead ? 1 : 0 }, { "decode", ended.decodePassCount },
        { "discarded", ended.discardedPassCount } };
    m_passes.insert(m_passes.end(), ended.passes.begin(), ended.passes.end());
    writePassList(m_passes, m_json["passes"]);
    if (wasRead)
        m_json["overlap"] = ended.overlap.isUsed;
    m_json["overlap_obstacle"] = textOrNull(ended.overlap.obstacle);
    m_json["times"] = toJson(ended.timing);
    writeWindowTimes({}, m_json["times"]);
    m_json["stop"] = { { "reason", info.name }, { "verdict", engine::verdictName(info.verdict) },
        { "words", info.words } };
    m_json["ledger"] = toJson(ended.ledger);
}

void RunRecord::setCheckpointSha256(const std::string& hexDigits)
{
    m_json["checkpoint"]["sha256"] = hexDigits;
}

void RunRecord::setWindowTimes(const WindowTimes& times)
{
    if (m_json["times"].is_object())
        writeWindowTimes(times, m_json["times"]);
}

void RunRecord::packPasses(std::span<const engine::RunPass> passes)
{
    ordered_json& json = m_json["passes"];
    if (!json.is_object())
        return;
    json.erase("list");
    json.erase("discarded_list");
    writePackedPasses(passes, json);
}

std::string RunRecord::withoutPromptAndTokens() const
{
    ordered_json kept = ordered_json::object();
    for (const auto& [key, value] : m_json.items())
        if (key != "tokens")
            kept[key] = key == "prompt" || key == "text" ? ordered_json() : value;
    kept["prompt"] = { { "draft_token_count", m_json["prompt"]["draft_token_count"] } };
    return dumped(kept);
}

std::string isoNow()
{
    return QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
}

std::string sha256Hex(std::string_view bytes)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(bytes.data(), qsizetype(bytes.size())));
    return hash.result().toHex().toStdString();
}

std::string vocabularySha256(const engine::Vocabulary& vocabulary)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (engine::TokenId id = 0; id < vocabulary.size(); ++id) {
        const std::string& piece = vocabulary.piece(id);
        const std::string entry = std::to_string(int(vocabulary.kind(id))) + ":"
            + std::to_string(piece.size()) + ":" + piece + "\n";
        hash.addData(QByteArrayView(entry.data(), qsizetype(entry.size())));
    }
    return hash.result().toHex().toStdString();
}

engine::Result<std::string> fileSha256Hex(const std::string& path)
{
    QFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return engine::Error::io(path + ": " + file.errorString().toStdString());
    return hash.result().toHex().toStdString();
}

} // namespace app
