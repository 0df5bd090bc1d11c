#include "app/conversation/chat_import.h"

#include "app/runs/json_document.h"
#include "app/runs/json_fields.h"
#include "app/conversation/source_text.h"
#include "app/runs/run_json.h"
#include "app/runs/run_reading.h"
#include "app/runs/run_record.h"

#include <array>
#include <limits>
#include <unordered_map>
#include <unordered_set>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr int64_t kLargestId = int64_t(1) << 53;
    constexpr size_t kCandidateFieldCount = 4;
    constexpr int64_t kFirstVersionWithSources = 2;
    constexpr int64_t kFirstVersionWithTokenTimes = 2;
    constexpr int64_t kFirstVersionWithKeptTokens = 3;

    std::string at(const std::string& list, size_t index)
    {
        return list + "[" + std::to_string(index) + "]";
    }

    template <typename Enum>
    Result<Enum> enumIn(
        const JsonFields& fields, const char* key, const char* (*name)(Enum), Enum last)
    {
        TRY_ASSIGN(const QString written, fields.text(key));
        for (int i = 0; i <= int(last); ++i)
            if (written == QLatin1String(name(Enum(i))))
                return Enum(i);
        return fields.wrong(key, "is “" + written.toStdString() + "”, which is unknown");
    }

    Result<engine::Candidate> candidateIn(const ordered_json& value, const std::string& path)
    {
        if (!value.is_array() || value.size() != kCandidateFieldCount)
            return Error::badFile(path + " is not a list of id, logprob, probability and stage");
        const ordered_json named { { "id", value[0] }, { "logprob", value[1] },
            { "probability", value[2] }, { "stage", value[3] } };
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(named, path));
        engine::Candidate candidate;
        TRY_ASSIGN(
            const int64_t id, fields.integer("id", 0, std::numeric_limits<engine::TokenId>::max()));
        candidate.id = engine::TokenId(id);
        TRY_ASSIGN(const std::optional<double> logprob, fields.optionalNumber("logprob"));
        if (!logprob)
            return fields.wrong("logprob", "is not a number");
        candidate.logprob = float(*logprob);
        TRY_ASSIGN(const std::optional<double> probability, fields.optionalNumber("probability"));
        if (probability)
            candidate.finalProbability = float(*probability);
        TRY_ASSIGN(candidate.droppedBy,
            enumIn(fields, "stage", engine::samplerStageName, engine::SamplerStage::Draw));
        return candidate;
    }

    Result<engine::TokenRecord> tokenIn(const ordered_json& value, const std::string& path, int64_t version)
    {
        constexpr int kLargestInt = std::numeric_limits<int>::max();
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        engine::TokenRecord token;
        TRY_ASSIGN(const int64_t id, fields.integer("id", 0, kLargestInt));
        token.id = engine::TokenId(id);
        TRY_ASSIGN(const QString digits, fields.text("bytes"));
        token.bytes = bytesOfHex(digits.toStdString());
        if (hexOf(token.bytes) != digits.toStdString())
            return fields.wrong("bytes", "is not made of pairs of hexadecimal digits");
        TRY_ASSIGN(token.source,
            enumIn(fields, "source", engine::tokenSourceName, engine::TokenSource::Edited));
        TRY_ASSIGN(const int64_t position, fields.integer("position", 0, kLargestInt));
        token.position = int(position);
        const std::array<std::pair<const char*, std::optional<float>*>, 4> numbers { {
            { "logprob", &token.logprob },
            { "log_sum_exp", &token.logSumExp },
            { "entropy", &token.entropy },
            { "end_probability", &token.endProbability },
        } };
        for (const auto& [key, number] : numbers) {
            TRY_ASSIGN(const std::optional<double> read, fields.optionalNumber(key));
            if (read)
                *number = float(*read);
        }
        TRY_ASSIGN(token.rank, fields.optionalInt("rank"));
        TRY_ASSIGN(token.draw, fields.optionalNumber("draw"));
        if (version >= kFirstVersionWithTokenTimes) {
            TRY_ASSIGN(token.decidedMs, fields.optionalNumber("decided_ms"));
            TRY_ASSIGN(token.arrivedMs, fields.optionalNumber("arrived_ms"));
        }
        TRY_ASSIGN(const int64_t chunk, fields.integer("chunk", 0, kLargestInt));
        token.chunk = int(chunk);
        TRY_ASSIGN(const ordered_json* top, fields.array("top"));
        for (size_t i = 0; i < top->size(); ++i) {
            TRY_ASSIGN(
                engine::Candidate candidate, candidateIn((*top)[i], at(fields.pathOf("top"), i)));
            token.top.push_back(candidate);
        }
        return token;
    }

    Result<KeptTokens> keptIn(const ordered_json& value, const std::string& path, int64_t version)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        KeptTokens kept;
        TRY_ASSIGN(const ordered_json* tokens, fields.array("tokens"));
        for (size_t i = 0; i < tokens->size(); ++i) {
            TRY_ASSIGN(engine::TokenRecord token,
                tokenIn((*tokens)[i], at(fields.pathOf("tokens"), i), version));
            kept.records.push_back(std::move(token));
        }
        TRY_ASSIGN(const ordered_json* runs, fields.array("runs"));
        for (size_t i = 0; i < runs->size(); ++i) {
            TRY_ASSIGN(const JsonFields run, JsonFields::of((*runs)[i], at(fields.pathOf("runs"), i)));
            constexpr int kLargestInt = std::numeric_limits<int>::max();
            TRY_ASSIGN(const int64_t first, run.integer("first_token", 0, kLargestInt));
            TRY_ASSIGN(auto banned, run.ids("banned_first_token_ids"));
            TRY_ASSIGN(const ordered_json* sampling, run.value("sampling"));
            if (!sampling->is_object())
                return run.wrong("sampling", "is no object");
            kept.runs.push_back({ int(first), readSampling(*sampling), std::move(banned) });
        }
        return kept;
    }

    /// Builds the file while it is read.
    class Reading {
    public:
        Result<ChatFile> read(const ordered_json& json);

    private:
        Result<void> readConversation(const JsonFields& fields);
        Result<void> readSource(const ordered_json& value, const std::string& path);
        Result<void> readMessage(const ordered_json& value, const std::string& path);
        Result<void> readRun(const ordered_json& value, const std::string& path, int part);
        Result<int64_t> newId(const JsonFields& fields);

        ChatFile m_file;
        int64_t m_version = ChatFile::kVersion; ///< of the file
        std::unordered_set<int64_t> m_ids; ///< of messages, runs and sources
        std::unordered_set<int64_t> m_messages;
    };

    Result<ChatFile> Reading::read(const ordered_json& json)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(json, {}));
        TRY_ASSIGN(const QString format, fields.text("format"));
        if (format != QLatin1String("tokenglass-chat"))
            return fields.wrong("format", "is not “tokenglass-chat”");
        TRY_ASSIGN(
            const int64_t version, fields.integer("version", 1, std::numeric_limits<int>::max()));
        if (version > ChatFile::kVersion)
            return fields.wrong("version",
                "is " + std::to_string(version)
                    + ": the file was written by a newer Tokenglass than this one");
        TRY_ASSIGN(const ordered_json* conversation, fields.value("conversation"));
        TRY_ASSIGN(const JsonFields row, JsonFields::of(*conversation, "conversation"));
        TRY(readConversation(row));
        m_version = version;
        if (version >= kFirstVersionWithSources) {
            TRY_ASSIGN(const ordered_json* sources, fields.array("sources"));
            for (size_t i = 0; i < sources->size(); ++i)
                TRY(readSource((*sources)[i], at("sources", i)));
        }
        TRY_ASSIGN(const ordered_json* messages, fields.array("messages"));
        for (size_t i = 0; i < messages->size(); ++i)
            TRY(readMessage((*messages)[i], at("messages", i)));
        return std::move(m_file);
    }

    Result<void> Reading::readConversation(const JsonFields& fields)
    {
        StoredConversation& row = m_file.chat.conversation;
        TRY_ASSIGN(const QString kind, fields.text("kind"));
        if (kind != QLatin1String("chat") && kind != QLatin1String("plain_text"))
            return fields.wrong("kind", "is neither “chat” nor “plain_text”");
        row.kind
            = kind == QLatin1String("chat") ? ConversationKind::Chat : ConversationKind::PlainText;
        TRY_ASSIGN(row.title, fields.text("title"));
        TRY_ASSIGN(row.isNamed, fields.flag("is_named"));
        TRY_ASSIGN(const ordered_json* folder, fields.value("folder"));
        if (!folder->is_null()) {
            TRY_ASSIGN(m_file.folderName, fields.text("folder"));
        }
        TRY_ASSIGN(row.createdAt, fields.time("created_at"));
        TRY_ASSIGN(row.changedAt, fields.time("changed_at"));
        TRY_ASSIGN(row.settings, fields.json("settings"));
        TRY_ASSIGN(row.typedText, fields.text("typed_text"));
        TRY_ASSIGN(row.document, fields.text("document"));
        return {};
    }

    Result<int64_t> Reading::newId(const JsonFields& fields)
    {
        TRY_ASSIGN(const int64_t id, fields.integer("id", 1, kLargestId));
        if (!m_ids.insert(id).second)
            return fields.wrong("id", "occurs twice");
        return id;
    }

    Result<void> Reading::readSource(const ordered_json& value, const std::string& path)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        StoredSource source;
        TRY_ASSIGN(source.id, newId(fields));
        TRY_ASSIGN(const QString name, fields.text("name"));
        TRY_ASSIGN(source.text, fields.bytes("text"));
        const auto taken = sourceTextOf(name, QByteArray::fromStdString(source.text));
        if (!taken)
            return fields.wrong("text", "cannot be a source text: " + taken.error().message);
        source.name = taken->name;
        TRY_ASSIGN(const QString sha256, fields.text("sha256"));
        if (sha256.toStdString() != taken->sha256)
            return fields.wrong("sha256", "is not that of the text: one of them was changed");
        m_file.chat.sources.push_back(std::move(source));
        return {};
    }

    Result<void> Reading::readMessage(const ordered_json& value, const std::string& path)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        StoredMessage message;
        TRY_ASSIGN(const ordered_json* parent, fields.value("parent"));
        if (!parent->is_null()) {
            TRY_ASSIGN(message.parent, fields.integer("parent", 1, kLargestId));
            if (!m_messages.contains(message.parent))
                return fields.wrong("parent", "is not the id of an earlier message");
        }
        TRY_ASSIGN(message.id, newId(fields));
        TRY_ASSIGN(const QString role, fields.text("role"));
        if (role != QLatin1String("person") && role != QLatin1String("model"))
            return fields.wrong("role", "is neither “person” nor “model”");
        message.role = role == QLatin1String("model") ? TurnRole::Model : TurnRole::Person;
        TRY_ASSIGN(message.text, fields.text("text"));
        TRY_ASSIGN(message.textSource,
            enumIn(fields, "text_source", engine::tokenSourceName, engine::TokenSource::Edited));
        TRY_ASSIGN(message.textIds, fields.ids("text_ids"));
        TRY_ASSIGN(message.isShown, fields.flag("is_shown"));
        TRY_ASSIGN(message.createdAt, fields.time("created_at"));
        TRY_ASSIGN(const ordered_json* runs, fields.array("runs"));
        if (message.role == TurnRole::Person && !runs->empty())
            return fields.wrong("runs", "belong to no answer: a person wrote this message");
        m_messages.insert(message.id);
        m_file.chat.messages.push_back(std::move(message));
        for (size_t i = 0; i < runs->size(); ++i)
            TRY(readRun((*runs)[i], at(fields.pathOf("runs"), i), int(i)));
        return {};
    }

    Result<void> Reading::readRun(const ordered_json& value, const std::string& path, int part)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        StoredRun run;
        StoredRunDetails details;
        TRY_ASSIGN(run.id, newId(fields));
        run.message = m_file.chat.messages.back().id;
        run.part = part;
        run.reason = engine::StopReason::Interrupted;
        TRY_ASSIGN(const ordered_json* reason, fields.value("stop_reason"));
        if (!reason->is_null()) {
            TRY_ASSIGN(const QString name, fields.text("stop_reason"));
            run.reason = engine::findStopReason(name.toStdString());
            if (!run.reason)
                return fields.wrong(
                    "stop_reason", "is “" + name.toStdString() + "”, which is unknown");
        }
        TRY_ASSIGN(run.text, fields.bytes("text"));
        TRY_ASSIGN(run.record, fields.json("record"));
        TRY_ASSIGN(details.promptText, fields.bytes("prompt_text"));
        TRY_ASSIGN(details.promptIds, fields.ids("prompt_ids"));
        TRY_ASSIGN(const ordered_json* tokens, fields.array("tokens"));
        for (size_t i = 0; i < tokens->size(); ++i) {
            TRY_ASSIGN(
                engine::TokenRecord token, tokenIn((*tokens)[i], at(fields.pathOf("tokens"), i), m_version));
            details.tokens.push_back(std::move(token));
        }
        if (m_version >= kFirstVersionWithKeptTokens) {
            TRY_ASSIGN(const ordered_json* kept, fields.value("kept"));
            if (!kept->is_null()) {
                TRY_ASSIGN(details.kept, keptIn(*kept, fields.pathOf("kept"), m_version));
            }
        }
        run.tokenCount = int(details.tokens.size());
        m_file.chat.runs.push_back(std::move(run));
        m_file.details.push_back(std::move(details));
        return {};
    }
}

Result<ChatFile> chatFromJson(std::string_view json)
{
    JsonFault fault = JsonFault::NotWhole;
    const auto parsed = parsedJson<ordered_json>(json, &fault);
    if (!parsed && fault == JsonFault::TooDeep)
        return Error::badFile("the file is nested too deeply to be a conversation");
    if (!parsed)
        return Error::badFile(
            "the file is not whole JSON: it is damaged, cut off or something else");
    return Reading().read(*parsed);
}

ChatFile withNewIds(ChatFile file, IdSource& ids)
{
    std::unordered_map<int64_t, int64_t> fresh { { 0, 0 } };
    StoredChat& chat = file.chat;
    chat.conversation.id = ids.next();
    for (StoredMessage& message : chat.messages) {
        fresh.emplace(message.id, ids.next());
        message.id = fresh[message.id];
        message.parent = fresh[message.parent];
        message.conversation = chat.conversation.id;
    }
    for (StoredSource& source : chat.sources) {
        source.id = ids.next();
        source.conversation = chat.conversation.id;
    }
    for (StoredRun& run : chat.runs) {
        run.id = ids.next();
        run.message = fresh[run.message];
    }
    return file;
}

StoreChanges changesOf(const ChatFile& file)
{
    StoreChanges changes;
    changes.push_back(PutConversation { file.chat.conversation });
    for (const StoredSource& source : file.chat.sources)
        changes.push_back(PutSource { source });
    for (const StoredMessage& message : file.chat.messages)
        changes.push_back(PutMessage { message });
    for (size_t i = 0; i < file.chat.runs.size(); ++i) {
        const StoredRun& run = file.chat.runs[i];
        const StoredRunDetails& details = file.details[i];
        OpenRun opened { run, details.promptText, details.promptIds, details.kept };
        opened.run.reason.reset();
        opened.run.text.clear();
        opened.run.tokenCount = 0;
        changes.push_back(std::move(opened));
        changes.push_back(EndRun { run.id, run.reason.value_or(engine::StopReason::Interrupted),
            run.text, 0, details.tokens, run.record });
    }
    return changes;
}

StoredSummary summaryOf(const ChatFile& file)
{
    StoredSummary summary;
    summary.conversation = file.chat.conversation;
    summary.isEmpty = file.chat.messages.empty() && file.chat.sources.empty()
        && file.chat.conversation.document.value_or(QString()).isEmpty();
    return summary;
}

} // namespace app
