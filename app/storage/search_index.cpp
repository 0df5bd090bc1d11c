#include "app/storage/search_index.h"

#include "app/text/blanks.h"

#include <array>

namespace app {

namespace {
    qint64 rowNumber(int64_t id, SearchPlace place) { return qint64(id) * 4 + int(place); }

    engine::Result<void> putText(Database& database, qint64 row, const QString& text)
    {
        TRY(database.run("DELETE FROM search WHERE rowid = ?", { row }));
        if (text.isEmpty())
            return {};
        return database.run("INSERT INTO search (rowid, text) VALUES (?, ?)",
            { row, sqlText(searchableText(text)) });
    }

    engine::Result<std::vector<int64_t>> idsOf(Database& database, const char* sql)
    {
        std::vector<int64_t> ids;
        TRY(database.each(
            sql, {}, [&ids](const QSqlQuery& row) { ids.push_back(row.value(0).toLongLong()); }));
        return ids;
    }
}

QString searchableText(const QString& text)
{
    QString spaced;
    spaced.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isPair
            = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const char32_t sign
            = isPair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : char32_t(text[i].unicode());
        const bool standsApart = isWrittenWithoutBlanks(sign);
        if (standsApart)
            spaced += u' ';
        spaced += text[i];
        if (isPair)
            spaced += text[++i];
        if (standsApart)
            spaced += u' ';
    }
    return spaced;
}

engine::Result<QString> messageText(Database& database, MessageId message)
{
    QString text;
    TRY(database.each("SELECT text FROM messages WHERE id = ?", { qint64(message) },
        [&text](const QSqlQuery& row) { text = row.value(0).toString(); }));
    QByteArray runText;
    TRY(database.each("SELECT text FROM runs WHERE message = ? ORDER BY part, id",
        { qint64(message) },
        [&runText](const QSqlQuery& row) { runText += row.value(0).toByteArray(); }));
    return text + QString::fromUtf8(runText);
}

engine::Result<void> indexConversation(Database& database, ConversationId conversation)
{
    QString title;
    QString document;
    TRY(database.each("SELECT title, document FROM conversations WHERE id = ?",
        { qint64(conversation) }, [&](const QSqlQuery& row) {
            title = row.value(0).toString();
            document = row.value(1).toString();
        }));
    TRY(putText(database, rowNumber(conversation, SearchPlace::Title), title));
    return putText(database, rowNumber(conversation, SearchPlace::Document), document);
}

engine::Result<void> indexMessage(Database& database, MessageId message)
{
    TRY_ASSIGN(const QString text, messageText(database, message));
    return putText(database, rowNumber(message, SearchPlace::Message), text);
}

engine::Result<void> indexMessageOfRun(Database& database, StoredRunId run)
{
    TRY_ASSIGN(const qint64 message,
        database.number("SELECT message FROM runs WHERE id = ?", { qint64(run) }));
    return indexMessage(database, message);
}

engine::Result<void> indexEverything(Database& database)
{
    TRY_ASSIGN(const auto conversations, idsOf(database, "SELECT id FROM conversations"));
    for (const ConversationId id : conversations)
        TRY(indexConversation(database, id));
    TRY_ASSIGN(const auto messages, idsOf(database, "SELECT id FROM messages"));
    for (const MessageId id : messages)
        TRY(indexMessage(database, id));
    return {};
}

engine::Result<void> rebuildIndex(Database& database)
{
    return database.inTransaction(true, [&database]() -> engine::Result<void> {
        TRY(database.run("DROP TABLE search"));
        TRY(database.run(kCreateSearchIndex));
        return indexEverything(database);
    });
}

engine::Result<void> forgetRemovedText(Database& database)
{
    constexpr std::array kRemovals {
        "DELETE FROM search WHERE rowid % 4 = 1"
        " AND rowid / 4 NOT IN (SELECT id FROM messages)",
        "DELETE FROM search WHERE rowid % 4 <> 1"
        " AND rowid / 4 NOT IN (SELECT id FROM conversations)",
        // A removed row leaves its words in older parts of the index until these are merged.
        "INSERT INTO search (search) VALUES ('optimize')",
    };
    for (const char* statement : kRemovals)
        TRY(database.run(statement));
    return {};
}

} // namespace app
