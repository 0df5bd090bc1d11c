#include "app/storage/change_writer.h"

#include "app/runs/run_json.h"
#include "app/storage/run_facts.h"
#include "app/storage/search_index.h"
#include "app/storage/token_blob.h"

#include <nlohmann/json.hpp>

#include <QDateTime>

namespace app {

engine::Result<void> ChangeWriter::apply(const StoreChange& change)
{
    return std::visit([this](const auto& one) { return apply(one); }, change);
}

engine::Result<void> ChangeWriter::apply(const PutFolder& change)
{
    return m_database.run("INSERT INTO folders (id, name) VALUES (?, ?)"
                          " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
        { qint64(change.folder.id), sqlText(change.folder.name) });
}

engine::Result<void> ChangeWriter::apply(const RemoveFolder& change)
{
    return m_database.run("DELETE FROM folders WHERE id = ?", { qint64(change.folder) });
}

engine::Result<void> ChangeWriter::apply(const PutConversation& change)
{
    const StoredConversation& row = change.conversation;
    TRY(m_database.run(
        "INSERT INTO conversations (id, kind, title, is_named, folder, created_at, changed_at,"
        " settings, typed_text, deleted_at, document)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')"
        " ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, title = excluded.title,"
        " is_named = excluded.is_named, folder = excluded.folder,"
        " created_at = excluded.created_at, changed_at = excluded.changed_at,"
        " settings = excluded.settings, typed_text = excluded.typed_text,"
        " deleted_at = excluded.deleted_at",
        { qint64(row.id), int(row.kind), sqlText(row.title), row.isNamed, sqlId(row.folder),
            sqlTime(row.createdAt), sqlTime(row.changedAt), sqlBytes(row.settings),
            sqlText(row.typedText), sqlTime(row.deletedAt) }));
    if (row.document)
        TRY(m_database.run("UPDATE conversations SET document = ? WHERE id = ?",
            { sqlText(*row.document), qint64(row.id) }));
    return indexConversation(m_database, row.id);
}

engine::Result<void> ChangeWriter::hideSiblings(MessageId message)
{
    return m_database.run("UPDATE messages SET is_shown = 0 WHERE is_shown <> 0 AND id <> ?"
                          " AND conversation = (SELECT conversation FROM messages WHERE id = ?)"
                          " AND parent IS (SELECT parent FROM messages WHERE id = ?)",
        { qint64(message), qint64(message), qint64(message) });
}

engine::Result<void> ChangeWriter::apply(const PutMessage& change)
{
    const StoredMessage& row = change.message;
    TRY(m_database.run(
        "INSERT INTO messages (id, conversation, parent, role, text, text_source, text_ids,"
        " is_shown, created_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET conversation = excluded.conversation,"
        " parent = excluded.parent, role = excluded.role, text = excluded.text,"
        " text_source = excluded.text_source, text_ids = excluded.text_ids,"
        " is_shown = excluded.is_shown, created_at = excluded.created_at,"
        " deleted_at = excluded.deleted_at",
        { qint64(row.id), qint64(row.conversation), sqlId(row.parent), int(row.role),
            sqlText(row.text), int(row.textSource), idBlob(row.textIds), row.isShown,
            sqlTime(row.createdAt), sqlTime(row.deletedAt) }));
    if (row.isShown)
        TRY(hideSiblings(row.id));
    return indexMessage(m_database, row.id);
}

engine::Result<void> ChangeWriter::apply(const ShowMessage& change)
{
    TRY(hideSiblings(change.message));
    return m_database.run(
        "UPDATE messages SET is_shown = 1 WHERE id = ?", { qint64(change.message) });
}

engine::Result<void> ChangeWriter::apply(const MarkMessageDeleted& change)
{
    return m_database.run("UPDATE messages SET deleted_at = ? WHERE id = ?",
        { sqlTime(change.deletedAt), qint64(change.message) });
}

engine::Result<void> ChangeWriter::apply(const MarkConversationDeleted& change)
{
    return m_database.run("UPDATE conversations SET deleted_at = ? WHERE id = ?",
        { sqlTime(change.deletedAt), qint64(change.conversation) });
}

engine::Result<void> ChangeWriter::apply(const PutSource& change)
{
    const StoredSource& row = change.source;
    return m_database.run("INSERT INTO sources (id, conversation, name, text, deleted_at)"
                          " VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                          " conversation = excluded.conversation, name = excluded.name,"
                          " text = excluded.text, deleted_at = excluded.deleted_at",
        { qint64(row.id), qint64(row.conversation), sqlText(row.name), sqlBytes(row.text),
            sqlTime(row.deletedAt) });
}

engine::Result<void> ChangeWriter::apply(const MarkSourceDeleted& change)
{
    return m_database.run("UPDATE sources SET deleted_at = ? WHERE id = ?",
        { sqlTime(change.deletedAt), qint64(change.source) });
}

engine::Result<void> ChangeWriter::apply(const Purge& change)
{
    const QVariantList before { sqlTime(change.deletedBefore) };
    // What is below a message, and all of a conversation, goes by the foreign keys.
    TRY(m_database.run("DELETE FROM conversations WHERE deleted_at < ?", before));
    TRY_ASSIGN(const qint64 conversationCount, m_database.changedRowCount());
    TRY(m_database.run("DELETE FROM sources WHERE deleted_at < ?", before));
    TRY(m_database.run("DELETE FROM messages WHERE deleted_at < ?", before));
    TRY_ASSIGN(const qint64 messageCount, m_database.changedRowCount());
    m_purgedBefore = std::max(m_purgedBefore.value_or(change.deletedBefore), change.deletedBefore);
    if (conversationCount + messageCount == 0)
        return {};
    return forgetRemovedText(m_database);
}

engine::Result<void> ChangeWriter::apply(const OpenRun& change)
{
    const StoredRun& run = change.run;
    const QVariant reason = run.reason
        ? QVariant(QString::fromLatin1(engine::stopReasonInfo(*run.reason).name))
        : QVariant();
    TRY(m_database.run("INSERT INTO runs (id, message, part, reason, text, token_count, record,"
                       " model) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        { qint64(run.id), qint64(run.message), run.part, reason, sqlBytes(run.text), run.tokenCount,
            sqlBytes(run.record), sqlText(modelNames(run.record)) }));
    TRY(m_database.run("INSERT INTO run_prompts (run, text, ids) VALUES (?, ?, ?)",
        { qint64(run.id), qCompress(sqlBytes(change.promptText).toByteArray()),
            qCompress(idBlob(change.promptIds)) }));
    if (!change.kept.records.empty())
        TRY(m_database.run("INSERT INTO kept_tokens (run, kept) VALUES (?, ?)",
            { qint64(run.id), qCompress(keptBlob(change.kept)) }));
    TRY(noteRunFacts(m_database, run.id));
    return run.reason ? indexMessage(m_database, run.message) : engine::Result<void>();
}

engine::Result<bool> ChangeWriter::isUnderWay(StoredRunId run)
{
    TRY_ASSIGN(const qint64 count,
        m_database.number(
            "SELECT count(*) FROM runs WHERE id = ? AND reason IS NULL", { qint64(run) }));
    return count > 0;
}

engine::Result<void> ChangeWriter::apply(const AppendToRun& change)
{
    TRY_ASSIGN(const bool underWay, isUnderWay(change.run));
    if (!underWay || (change.text.empty() && change.tokens.empty()))
        return {};
    std::vector<engine::TokenId> ids;
    for (const engine::TokenRecord& token : change.tokens)
        ids.push_back(token.id);
    return m_database.run("INSERT INTO run_chunks (run, first_index, text, ids, tokens)"
                          " VALUES (?, ?, ?, ?, ?)",
        { qint64(change.run), change.firstTokenIndex, sqlBytes(change.text), idBlob(ids),
            tokenBlob(change.tokens) });
}

engine::Result<void> ChangeWriter::apply(const EndRun& change)
{
    TRY_ASSIGN(const bool underWay, isUnderWay(change.run));
    if (!underWay)
        return {};
    // Without text: from now on the whole of it is in the run's own row.
    TRY(apply(AppendToRun { change.run, change.firstTokenIndex, {}, change.tokens }));
    TRY(m_database.run("UPDATE runs SET reason = ?, text = ?, token_count = ?, record = ?,"
                       " model = ? WHERE id = ?",
        { QString::fromLatin1(engine::stopReasonInfo(change.reason).name), sqlBytes(change.text),
            change.firstTokenIndex + int(change.tokens.size()), sqlBytes(change.record),
            sqlText(modelNames(change.record)), qint64(change.run) }));
    TRY(noteRunFacts(m_database, change.run));
    return indexMessageOfRun(m_database, change.run);
}

engine::Result<void> ChangeWriter::apply(const PutRecord& change)
{
    TRY(m_database.run("UPDATE runs SET record = ?, model = ? WHERE id = ?",
        { sqlBytes(change.record), sqlText(modelNames(change.record)), qint64(change.run) }));
    return noteRunFacts(m_database, change.run);
}

engine::Result<void> ChangeWriter::apply(const PutRecordFields& change)
{
    using nlohmann::ordered_json;
    std::string text;
    TRY(m_database.each("SELECT record FROM runs WHERE id = ?", { qint64(change.run) },
        [&text](const QSqlQuery& row) { text = bytesIn(row, 0); }));
    ordered_json record = ordered_json::parse(text, nullptr, false);
    const ordered_json fields = ordered_json::parse(change.fields, nullptr, false);
    if (!record.is_object() || !fields.is_object())
        return {};
    for (const auto& [key, value] : fields.items())
        record[key] = value;
    return apply(PutRecord { change.run, dumped(record) });
}

QString modelNames(const std::string& record)
{
    const auto json = nlohmann::json::parse(record, nullptr, false);
    if (!json.is_object() || !json.contains("checkpoint") || !json["checkpoint"].is_object())
        return {};
    QStringList names;
    for (const char* key : { "file_name", "name" }) {
        const auto& checkpoint = json["checkpoint"];
        if (checkpoint.contains(key) && checkpoint[key].is_string())
            names << QString::fromStdString(checkpoint[key].get<std::string>());
    }
    return names.join(u' ');
}

} // namespace app
