#include "app/conversation/chat_export.h"

#include "app/runs/run_json.h"
#include "app/runs/run_record.h"
#include "app/storage/storage.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr int kIndent = 1;

    ordered_json jsonOf(const QString& text) { return text.toStdString(); }

    ordered_json jsonOf(const std::string& bytes)
    {
        const QByteArray utf8(bytes.data(), qsizetype(bytes.size()));
        if (QString::fromUtf8(utf8).toUtf8() == utf8)
            return bytes;
        return { { "hex", hexOf(bytes) } };
    }

    ordered_json jsonOf(const QDateTime& time)
    {
        return time.toUTC().toString(Qt::ISODateWithMs).toStdString();
    }

    template <typename T> ordered_json jsonOfNumber(T value)
    {
        if (std::isnan(value))
            return "nan";
        if (std::isinf(value))
            return value > 0 ? "inf" : "-inf";
        if constexpr (std::is_same_v<T, float>)
            return shortest(value);
        else
            return value;
    }

    template <typename T> ordered_json jsonOf(const std::optional<T>& value)
    {
        if (!value)
            return nullptr;
        if constexpr (std::is_floating_point_v<T>)
            return jsonOfNumber(*value);
        else
            return *value;
    }

    // JSON that was kept as text is part of the document, unless that would change it.
    ordered_json jsonOfJson(const std::string& text)
    {
        ordered_json parsed = ordered_json::parse(text, nullptr, false);
        const bool readsAsBytes = parsed.size() == 1 && parsed.contains("hex");
        if (parsed.is_object() && !readsAsBytes && dumped(parsed) == text)
            return parsed;
        return jsonOf(text);
    }

    ordered_json jsonOf(const engine::TokenRecord& token)
    {
        ordered_json top = ordered_json::array();
        for (const engine::Candidate& candidate : token.top)
            top.push_back(
                { candidate.id, jsonOfNumber(candidate.logprob), jsonOf(candidate.finalProbability),
                    engine::samplerStageName(candidate.droppedBy) });
        return { { "id", token.id }, { "bytes", hexOf(token.bytes) },
            { "source", engine::tokenSourceName(token.source) }, { "position", token.position },
            { "logprob", jsonOf(token.logprob) }, { "log_sum_exp", jsonOf(token.logSumExp) },
            { "rank", jsonOf(token.rank) }, { "entropy", jsonOf(token.entropy) },
            { "end_probability", jsonOf(token.endProbability) }, { "top", std::move(top) },
            { "draw", jsonOf(token.draw) }, { "decided_ms", jsonOf(token.decidedMs) },
            { "arrived_ms", jsonOf(token.arrivedMs) }, { "chunk", token.chunk } };
    }

    ordered_json jsonOf(const KeptTokens& kept)
    {
        if (kept.records.empty())
            return nullptr;
        ordered_json runs = ordered_json::array();
        for (const KeptTokens::Run& run : kept.runs)
            runs.push_back({ { "first_token", run.firstToken }, { "sampling", toJson(run.sampling) },
                { "banned_first_token_ids", run.bannedFirstIds } });
        ordered_json tokens = ordered_json::array();
        for (const engine::TokenRecord& token : kept.records)
            tokens.push_back(jsonOf(token));
        return { { "runs", std::move(runs) }, { "tokens", std::move(tokens) } };
    }

    ordered_json jsonOf(const StoredRun& run, const StoredRunDetails& details)
    {
        ordered_json tokens = ordered_json::array();
        for (const engine::TokenRecord& token : details.tokens)
            tokens.push_back(jsonOf(token));
        return { { "id", run.id },
            { "stop_reason",
                run.reason ? ordered_json(engine::stopReasonInfo(*run.reason).name)
                           : ordered_json() },
            { "text", jsonOf(run.text) }, { "record", jsonOfJson(run.record) },
            { "prompt_text", jsonOf(details.promptText) }, { "prompt_ids", details.promptIds },
            { "kept", jsonOf(details.kept) },
            { "tokens", std::move(tokens) } };
    }

    ordered_json jsonOf(const StoredMessage& message, ordered_json runs)
    {
        return { { "id", message.id },
            { "parent", message.parent ? ordered_json(message.parent) : ordered_json() },
            { "role", message.role == TurnRole::Model ? "model" : "person" },
            { "text", jsonOf(message.text) },
            { "text_source", engine::tokenSourceName(message.textSource) },
            { "text_ids", message.textIds }, { "is_shown", message.isShown },
            { "created_at", jsonOf(message.createdAt) }, { "runs", std::move(runs) } };
    }

    ordered_json jsonOf(const StoredSource& source)
    {
        return { { "id", source.id }, { "name", jsonOf(source.name) },
            { "sha256", sha256Hex(source.text) }, { "text", jsonOf(source.text) } };
    }

    /// What has been read so far. Shared by the answers that are still to come; the last of them
    /// drops it.
    struct Reading {
        ChatFile file;
        size_t missing = 0;
        std::optional<engine::Error> error;
        std::function<void(engine::Result<ChatFile>)> answer;

        void finish()
        {
            if (error)
                answer(*error);
            else
                answer(std::move(file));
        }
    };
}

std::string chatToJson(const ChatFile& file)
{
    const StoredConversation& conversation = file.chat.conversation;
    ordered_json messages = ordered_json::array();
    for (const StoredMessage& message : file.chat.messages) {
        ordered_json runs = ordered_json::array();
        for (size_t i = 0; i < file.chat.runs.size(); ++i)
            if (file.chat.runs[i].message == message.id)
                runs.push_back(jsonOf(file.chat.runs[i],
                    i < file.details.size() ? file.details[i] : StoredRunDetails {}));
        messages.push_back(jsonOf(message, std::move(runs)));
    }
    ordered_json sources = ordered_json::array();
    for (const StoredSource& source : file.chat.sources)
        sources.push_back(jsonOf(source));
    const ordered_json json { { "format", "tokenglass-chat" }, { "version", ChatFile::kVersion },
        { "conversation",
            { { "kind", conversation.kind == ConversationKind::PlainText ? "plain_text" : "chat" },
                { "title", jsonOf(conversation.title) }, { "is_named", conversation.isNamed },
                { "folder", file.folderName.isEmpty() ? ordered_json() : jsonOf(file.folderName) },
                { "created_at", jsonOf(conversation.createdAt) },
                { "changed_at", jsonOf(conversation.changedAt) },
                { "settings", jsonOfJson(conversation.settings) },
                { "typed_text", jsonOf(conversation.typedText) },
                { "document", jsonOf(conversation.document.value_or(QString())) } } },
        { "sources", std::move(sources) }, { "messages", std::move(messages) } };
    return dumped(json, kIndent) + "\n";
}

void readChatFile(Storage& storage, ConversationId id, const QString& folderName,
    std::function<void(engine::Result<ChatFile>)> answer)
{
    auto reading = std::make_shared<Reading>();
    reading->file.folderName = folderName;
    reading->answer = std::move(answer);
    storage.readChat(id, [&storage, reading](engine::Result<StoredChat> chat) {
        if (!chat)
            return reading->answer(chat.error());
        reading->file.chat = std::move(*chat);
        const std::vector<StoredRun>& runs = reading->file.chat.runs;
        reading->missing = runs.size();
        reading->file.details.resize(runs.size());
        if (runs.empty())
            return reading->finish();
        for (size_t i = 0; i < runs.size(); ++i)
            storage.readRun(runs[i].id, [reading, i](engine::Result<StoredRunDetails> details) {
                if (details)
                    reading->file.details[i] = std::move(*details);
                else
                    reading->error = details.error();
                if (--reading->missing == 0)
                    reading->finish();
            });
    });
}

} // namespace app
