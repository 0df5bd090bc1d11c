#include "app/storage/chat_reader.h"

#include "app/storage/message_tree.h"
#include "app/storage/token_blob.h"

#include <algorithm>
#include <map>

namespace app {

namespace {
    std::string uncompressed(const QByteArray& bytes)
    {
        return bytes.isEmpty() ? std::string() : qUncompress(bytes).toStdString();
    }

    // id, kind, title, is_named, folder, created_at, changed_at, settings, typed_text, deleted_at
    constexpr const char* kIndexSql
        = "SELECT id, kind, title, is_named, folder, created_at, changed_at, settings, typed_text,"
          " deleted_at, document = '' AND NOT EXISTS (SELECT 1 FROM sources WHERE"
          " sources.conversation = conversations.id AND sources.deleted_at IS NULL)"
          " FROM conversations WHERE deleted_at IS NULL"
          " ORDER BY changed_at DESC, id DESC";
    constexpr const char* kConversationSql
        = "SELECT id, kind, title, is_named, folder, created_at, changed_at, settings, typed_text,"
          " deleted_at, document FROM conversations WHERE id = ?";

    StoredConversation conversationIn(const QSqlQuery& row)
    {
        StoredConversation conversation;
        conversation.id = row.value(0).toLongLong();
        conversation.kind = ConversationKind(row.value(1).toInt());
        conversation.title = row.value(2).toString();
        conversation.isNamed = row.value(3).toBool();
        conversation.folder = row.value(4).toLongLong();
        conversation.createdAt = timeIn(row, 5);
        conversation.changedAt = timeIn(row, 6);
        conversation.settings = bytesIn(row, 7);
        conversation.typedText = row.value(8).toString();
        conversation.deletedAt = optionalTimeIn(row, 9);
        return conversation;
    }

    std::optional<engine::StopReason> reasonIn(const QSqlQuery& row, int column)
    {
        return engine::findStopReason(row.value(column).toString().toStdString());
    }

    bool isKnownComplete(const std::optional<engine::StopReason>& reason)
    {
        return reason && engine::stopReasonInfo(*reason).verdict == engine::Verdict::Complete;
    }

    engine::Error notFound(const Database& database, const char* what, int64_t id)
    {
        return engine::Error::io(database.path().toStdString() + " holds no " + what
            + " with the number " + std::to_string(id) + ". It may have been deleted for good.");
    }
}

engine::Result<StoredIndex> ChatReader::readIndex()
{
    StoredIndex index;
    TRY(m_database.each(
        "SELECT id, name FROM folders ORDER BY name, id", {}, [&](const QSqlQuery& row) {
            index.folders.push_back({ row.value(0).toLongLong(), row.value(1).toString() });
        }));

    std::map<ConversationId, std::vector<MessageNode>> nodes;
    TRY(m_database.each(
        "SELECT id, conversation, parent, is_shown, role, deleted_at IS NOT NULL FROM messages", {},
        [&](const QSqlQuery& row) {
            nodes[row.value(1).toLongLong()].push_back(
                { row.value(0).toLongLong(), row.value(2).toLongLong(),
                    TurnRole(row.value(4).toInt()), row.value(3).toBool(), row.value(5).toBool() });
        }));
    std::map<MessageId, std::optional<engine::StopReason>> lastReasons;
    TRY(m_database.each("SELECT message, reason FROM runs ORDER BY message, part, id", {},
        [&](const QSqlQuery& row) { lastReasons[row.value(0).toLongLong()] = reasonIn(row, 1); }));

    TRY(m_database.each(kIndexSql, {}, [&](const QSqlQuery& row) {
        StoredSummary summary { conversationIn(row) };
        const bool hasNoText = row.value(10).toBool(); // nor a source
        const auto path = MessageTree(nodes[summary.conversation.id]).shownPath();
        summary.isEmpty = hasNoText && path.empty();
        for (const MessageNode& node : path) {
            const auto run = lastReasons.find(node.id);
            const bool isAnswer = node.role == TurnRole::Model && run != lastReasons.end();
            summary.lastReason = isAnswer ? run->second : std::nullopt;
            summary.unfinishedCount += isAnswer && !isKnownComplete(run->second) ? 1 : 0;
        }
        index.conversations.push_back(std::move(summary));
    }));
    for (const char* sql : { "SELECT max(id) FROM folders", "SELECT max(id) FROM conversations",
             "SELECT max(id) FROM messages", "SELECT max(id) FROM runs",
             "SELECT max(id) FROM sources" }) {
        TRY_ASSIGN(const qint64 largest, m_database.number(sql));
        index.largestId = std::max<int64_t>(index.largestId, largest);
    }
    return index;
}

engine::Result<StoredChat> ChatReader::readChat(ConversationId id)
{
    StoredChat chat;
    TRY(m_database.each(kConversationSql, { qint64(id) }, [&](const QSqlQuery& row) {
        chat.conversation = conversationIn(row);
        chat.conversation.document = row.value(10).toString();
    }));
    if (chat.conversation.id != id)
        return notFound(m_database, "conversation", id);
    TRY(readMessages(chat));
    TRY(readRuns(chat));
    TRY(readSources(chat));
    return chat;
}

engine::Result<void> ChatReader::readMessages(StoredChat& chat)
{
    std::vector<MessageNode> nodes;
    TRY(m_database.each(
        "SELECT id, parent, role, text, text_source, text_ids, is_shown, created_at,"
        " deleted_at FROM messages WHERE conversation = ? ORDER BY id",
        { qint64(chat.conversation.id) }, [&](const QSqlQuery& row) {
            StoredMessage message;
            message.id = row.value(0).toLongLong();
            message.conversation = chat.conversation.id;
            message.parent = row.value(1).toLongLong();
            message.role = TurnRole(row.value(2).toInt());
            message.text = row.value(3).toString();
            message.textSource = engine::TokenSource(row.value(4).toInt());
            message.textIds = idsIn(row.value(5).toByteArray());
            message.isShown = row.value(6).toBool();
            message.createdAt = timeIn(row, 7);
            message.deletedAt = optionalTimeIn(row, 8);
            nodes.push_back({ message.id, message.parent, message.role, message.isShown,
                message.deletedAt.has_value() });
            chat.messages.push_back(std::move(message));
        }));
    const MessageTree tree(nodes);
    const std::vector<MessageId> live = tree.liveIds();
    const std::vector<MessageId> shown = tree.shownIds();
    std::erase_if(chat.messages, [&live](const StoredMessage& message) {
        return !std::binary_search(live.begin(), live.end(), message.id);
    });
    for (StoredMessage& message : chat.messages)
        message.isShown = std::binary_search(shown.begin(), shown.end(), message.id);
    return {};
}

engine::Result<void> ChatReader::readRuns(StoredChat& chat)
{
    const auto isRead = [&chat](MessageId id) {
        const auto found = std::lower_bound(chat.messages.begin(), chat.messages.end(), id,
            [](const StoredMessage& message, MessageId wanted) { return message.id < wanted; });
        return found != chat.messages.end() && found->id == id;
    };
    TRY(m_database.each(
        "SELECT runs.id, message, part, reason, runs.text, token_count, record FROM messages"
        " JOIN runs ON runs.message = messages.id WHERE conversation = ?"
        " ORDER BY message, part, runs.id",
        { qint64(chat.conversation.id) }, [&](const QSqlQuery& row) {
            StoredRun run;
            run.id = row.value(0).toLongLong();
            run.message = row.value(1).toLongLong();
            run.part = row.value(2).toInt();
            run.reason = reasonIn(row, 3);
            run.text = bytesIn(row, 4);
            run.tokenCount = row.value(5).toInt();
            run.record = bytesIn(row, 6);
            if (isRead(run.message))
                chat.runs.push_back(std::move(run));
        }));
    for (StoredRun& run : chat.runs)
        if (!run.reason)
            TRY(readGrowingText(run));
    return {};
}

engine::Result<void> ChatReader::readSources(StoredChat& chat)
{
    return m_database.each("SELECT id, name, text FROM sources WHERE conversation = ?"
                           " AND deleted_at IS NULL ORDER BY id",
        { qint64(chat.conversation.id) }, [&chat](const QSqlQuery& row) {
            chat.sources.push_back({ row.value(0).toLongLong(), chat.conversation.id,
                row.value(1).toString(), bytesIn(row, 2), std::nullopt });
        });
}

// The text of a run under way is in its chunks.
engine::Result<void> ChatReader::readGrowingText(StoredRun& run)
{
    return m_database.each("SELECT text, first_index, length(ids) FROM run_chunks WHERE run = ?"
                           " ORDER BY id",
        { qint64(run.id) }, [&run](const QSqlQuery& row) {
            run.text += bytesIn(row, 0);
            run.tokenCount = row.value(1).toInt()
                + int(size_t(row.value(2).toInt()) / sizeof(engine::TokenId));
        });
}

engine::Result<StoredRunDetails> ChatReader::readRun(StoredRunId id)
{
    StoredRunDetails details;
    bool isThere = false;
    TRY(m_database.each("SELECT text, ids FROM run_prompts WHERE run = ?", { qint64(id) },
        [&](const QSqlQuery& row) {
            isThere = true;
            details.promptText = uncompressed(row.value(0).toByteArray());
            details.promptIds
                = idsIn(QByteArray::fromStdString(uncompressed(row.value(1).toByteArray())));
        }));
    if (!isThere)
        return notFound(m_database, "run", id);
    std::optional<engine::Error> keptError;
    TRY(m_database.each("SELECT kept FROM kept_tokens WHERE run = ?", { qint64(id) },
        [&](const QSqlQuery& row) {
            auto kept = keptIn(qUncompress(row.value(0).toByteArray()));
            if (kept)
                details.kept = std::move(*kept);
            else
                keptError = kept.error();
        }));
    if (keptError)
        return engine::Error::io(m_database.path().toStdString() + ", run " + std::to_string(id)
            + ": " + keptError->message);
    std::vector<QByteArray> blobs;
    TRY(m_database.each("SELECT tokens FROM run_chunks WHERE run = ? ORDER BY id", { qint64(id) },
        [&](const QSqlQuery& row) { blobs.push_back(row.value(0).toByteArray()); }));
    for (const QByteArray& blob : blobs) {
        auto tokens = tokensIn(blob);
        if (!tokens)
            return engine::Error::io(m_database.path().toStdString() + ", run " + std::to_string(id)
                + ": " + tokens.error().message);
        details.tokens.insert(details.tokens.end(), std::make_move_iterator(tokens->begin()),
            std::make_move_iterator(tokens->end()));
    }
    return details;
}

} // namespace app
