#include "app/storage/salvage.h"

#include "app/storage/row_rescue.h"
#include "app/storage/run_facts.h"
#include "app/storage/schema.h"
#include "app/storage/search_index.h"
#include "app/storage/token_blob.h"
#include "engine/sampling/token_record.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QtEndian>

#include <array>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("Salvage", text); }

    // Files that belong to a database and go where it goes.
    constexpr std::array kCompanions { "-wal", "-journal" };

    QString readingPath(const QString& path) { return path + QStringLiteral("-reading"); }
    QString newPath(const QString& path) { return path + QStringLiteral("-salvaged"); }

    void removeDatabase(const QString& path)
    {
        QFile::remove(path);
        for (const char* companion : { "-wal", "-journal", "-shm" })
            QFile::remove(path + QLatin1String(companion));
    }

    engine::Error cannot(const char* words, const QString& from, const QString& to)
    {
        return engine::Error::io(
            tr(words)
                .arg(QDir::toNativeSeparators(from), QDir::toNativeSeparators(to))
                .toStdString());
    }

    engine::Result<void> copyForReading(const QString& path)
    {
        removeDatabase(readingPath(path));
        bool isCopied = QFile::copy(path, readingPath(path));
        for (const char* companion : kCompanions) {
            const QString name = path + QLatin1String(companion);
            if (QFileInfo::exists(name))
                isCopied
                    = isCopied && QFile::copy(name, readingPath(path) + QLatin1String(companion));
        }
        if (isCopied)
            return {};
        removeDatabase(readingPath(path));
        return cannot(QT_TRANSLATE_NOOP("Salvage",
                          "%1 is damaged, and there is no room to save what can be read of it. "
                          "Free some space for %2 and start again; nothing was changed."),
            path, readingPath(path));
    }

    // Puts a new file's first page in the place of a lost one. The tables are made in the same
    // order in every file, so that it tells rightly where each begins.
    engine::Result<void> graftFirstPage(const QString& path)
    {
        const QString donorPath = readingPath(path) + QStringLiteral("-donor");
        removeDatabase(donorPath);
        {
            TRY_ASSIGN(const auto donor, Database::open(donorPath));
            TRY(migrate(*donor, 0));
        }
        QFile donor(donorPath);
        QFile damaged(readingPath(path));
        constexpr qint64 kPageBytes = 4096;
        QByteArray page;
        if (donor.open(QIODevice::ReadOnly))
            page = donor.read(kPageBytes);
        donor.close();
        removeDatabase(donorPath);
        if (page.size() != kPageBytes || !damaged.open(QIODevice::ReadWrite))
            return engine::Error::io(readingPath(path).toStdString() + " cannot be written.");
        // The file format's header: its size in pages at byte 28, the free pages at 32 and 36.
        qToBigEndian<quint32>(quint32(damaged.size() / kPageBytes), page.data() + 28);
        qToBigEndian<quint32>(0, page.data() + 32);
        qToBigEndian<quint32>(0, page.data() + 36);
        // Bytes 18 and 19: whether there is a write-ahead log.
        if (QFileInfo::exists(readingPath(path) + QStringLiteral("-wal")))
            page[18] = page[19] = 2;
        if (damaged.write(page) != kPageBytes)
            return engine::Error::io(readingPath(path).toStdString() + " cannot be written.");
        return {};
    }

    engine::Result<std::unique_ptr<Database>> openForReading(const QString& path)
    {
        TRY_ASSIGN(auto database, Database::open(readingPath(path)));
        // Lets a file be read that is shorter than it says.
        TRY(database->run("PRAGMA writable_schema = ON"));
        TRY_ASSIGN(const qint64 tableCount,
            database->number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN"
                             " ('folders', 'conversations', 'messages', 'runs', 'run_prompts',"
                             " 'run_chunks')"));
        if (tableCount != 6)
            return engine::Error::io("the tables are not listed");
        return database;
    }

    struct Table {
        const char* name;
        const char* numbersSql; ///< its rows' numbers, from an index
        const char* columns;
    };
    constexpr std::array kTables {
        Table { "folders", "SELECT rowid FROM folders INDEXED BY folders_by_name", "id, name" },
        Table { "conversations",
            "SELECT rowid FROM conversations INDEXED BY conversations_by_folder",
            "id, kind, title, is_named, folder, created_at, changed_at, settings, typed_text,"
            " document, deleted_at" },
        Table { "messages", "SELECT rowid FROM messages INDEXED BY messages_by_conversation",
            "id, conversation, parent, role, text, text_source, text_ids, is_shown, created_at,"
            " deleted_at" },
        Table { "runs", "SELECT rowid FROM runs INDEXED BY runs_by_message",
            "id, message, part, reason, text, token_count, record, model" },
        Table {
            "run_prompts", "SELECT rowid FROM runs INDEXED BY runs_by_message", "run, text, ids" },
        Table { "run_chunks", "SELECT rowid FROM run_chunks INDEXED BY run_chunks_by_run",
            "id, run, first_index, text, ids, tokens" },
        Table { "sources", "SELECT rowid FROM sources INDEXED BY sources_by_conversation",
            "id, conversation, name, text, deleted_at" },
        Table { "kept_tokens", "SELECT run FROM kept_tokens", "run, kept" },
    };

    // A file that was made before version 3 or 4 has these elsewhere than the grafted page says.
    // Then rows of another table are found there, or none, and how many were lost is not known.
    bool mayBeOfAnotherTable(const Table& table)
    {
        const std::string_view name = table.name;
        return name == "sources" || name == "kept_tokens";
    }

    /// Whether a row that was found in a doubtful place is one of this table.
    bool isOf(const Table& table, const QVariantList& values)
    {
        if (std::string_view(table.name) == "kept_tokens")
            return values[1].typeId() == QMetaType::QByteArray
                && keptIn(qUncompress(values[1].toByteArray())).has_value();
        const auto is = [&](qsizetype column, QMetaType::Type type) {
            return !values[column].isNull() && values[column].typeId() == type;
        };
        return is(1, QMetaType::LongLong) && is(2, QMetaType::QString)
            && is(3, QMetaType::QByteArray);
    }

    QByteArray insertSql(const Table& table)
    {
        const QByteArray columns(table.columns);
        QByteArray marks = "?";
        for (int i = 0; i < columns.count(','); ++i)
            marks += ", ?";
        return "INSERT INTO " + QByteArray(table.name) + " (" + columns + ") VALUES (" + marks
            + ")";
    }

    // Rows whose parents were lost get new ones, so that they can be seen.
    engine::Result<void> mendReferences(Database& database, int& lostCount)
    {
        const QString lostTitle = tr("Recovered conversation");
        const QString lostText = tr("(This message could not be recovered.)");
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        TRY_ASSIGN(const qint64 largestConversation,
            database.number("SELECT max(coalesce((SELECT max(id) FROM conversations), 0),"
                            " coalesce((SELECT max(conversation) FROM messages), 0),"
                            " coalesce((SELECT max(id) FROM messages), 0),"
                            " coalesce((SELECT max(id) FROM runs), 0),"
                            " coalesce((SELECT max(conversation) FROM sources), 0),"
                            " coalesce((SELECT max(id) FROM sources), 0))"));
        const qint64 spare = largestConversation + 1;
        TRY(database.run("UPDATE conversations SET folder = NULL WHERE folder IS NOT NULL"
                         " AND folder NOT IN (SELECT id FROM folders)"));
        // Answers whose message is lost go into a conversation of their own.
        TRY(database.run("INSERT INTO messages (id, conversation, parent, role, text, text_source,"
                         " text_ids, is_shown, created_at, deleted_at)"
                         " SELECT DISTINCT message, ?, NULL, 1, '', 0, x'', 0, ?, NULL FROM runs"
                         " WHERE message NOT IN (SELECT id FROM messages)",
            { spare, now }));
        TRY(database.run("INSERT INTO messages (id, conversation, parent, role, text, text_source,"
                         " text_ids, is_shown, created_at, deleted_at)"
                         " SELECT parent, min(conversation), NULL, 1 - max(role), ?, 2, x'', 0, ?,"
                         " NULL FROM messages WHERE parent IS NOT NULL"
                         " AND parent NOT IN (SELECT id FROM messages) GROUP BY parent",
            { lostText, now }));
        TRY(database.run("INSERT INTO conversations (id, kind, title, is_named, folder, created_at,"
                         " changed_at, settings, typed_text, document, deleted_at)"
                         " SELECT DISTINCT conversation, 0, ?, 1, NULL, ?, ?, x'', '', '', NULL"
                         " FROM (SELECT conversation FROM messages UNION SELECT conversation"
                         " FROM sources) WHERE conversation NOT IN (SELECT id FROM conversations)",
            { lostTitle, now, now }));
        TRY(database.run("INSERT INTO run_prompts (run, text, ids) SELECT id, x'', x'' FROM runs"
                         " WHERE id NOT IN (SELECT run FROM run_prompts)"));
        for (const char* sql : { "DELETE FROM run_chunks WHERE run NOT IN (SELECT id FROM runs)",
                 "DELETE FROM run_prompts WHERE run NOT IN (SELECT id FROM runs)",
                 "DELETE FROM kept_tokens WHERE run NOT IN (SELECT id FROM runs)" }) {
            TRY(database.run(sql));
            TRY_ASSIGN(const qint64 removedCount, database.changedRowCount());
            lostCount += int(removedCount);
        }
        return {};
    }

    engine::Result<Salvage> carryOver(Database& damaged, const QString& path, bool isGrafted)
    {
        TRY_ASSIGN(const qint64 version, damaged.number("PRAGMA user_version"));
        if (version > schemaVersion())
            return engine::Error::io(
                tr("%1 is damaged and was written by a newer version of Tokenglass. Start that "
                   "version to save what can be read.")
                    .arg(QDir::toNativeSeparators(path))
                    .toStdString());
        removeDatabase(newPath(path));
        TRY_ASSIGN(const auto fresh, Database::open(newPath(path)));
        TRY(migrate(*fresh, 0));
        TRY(fresh->run("PRAGMA secure_delete = ON"));
        Salvage salvage;
        const engine::Result<void> written
            = fresh->inTransaction(true, [&]() -> engine::Result<void> {
                  std::optional<engine::Error> failure;
                  for (const Table& table : kTables) {
                      const QByteArray sql = insertSql(table);
                      RowRescue rescue(damaged, table.name, table.numbersSql);
                      const bool isDoubtful = isGrafted && mayBeOfAnotherTable(table);
                      const int lostCount
                          = rescue.rescue(table.columns, [&](const QVariantList& values) {
                                if (isDoubtful && !isOf(table, values))
                                    return true;
                                const auto result = fresh->run(sql.constData(), values);
                                if (!result && result.error().code != engine::ErrorCode::BadRequest)
                                    failure = result.error();
                                return result.has_value();
                            });
                      salvage.lostRowCount += isDoubtful ? 0 : lostCount;
                      if (failure)
                          return *failure;
                  }
                  TRY(mendReferences(*fresh, salvage.lostRowCount));
                  TRY(indexEverything(*fresh));
                  TRY(noteAllRunFacts(*fresh));
                  TRY_ASSIGN(const qint64 conversationCount,
                      fresh->number("SELECT count(*) FROM conversations"));
                  salvage.conversationCount = int(conversationCount);
                  return {};
              });
        if (!written)
            return written.error();
        return salvage;
    }

    // Whether the file is reachable under a new name.
    engine::Result<QString> setAside(const QString& path)
    {
        const QFileInfo info(path);
        const QString base = QStringLiteral("%1/%2-damaged-%3")
                                 .arg(info.absolutePath(), info.completeBaseName(),
                                     QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"));
        QString aside = base + QStringLiteral(".sqlite");
        for (int number = 2; QFileInfo::exists(aside); ++number)
            aside = QStringLiteral("%1-%2.sqlite").arg(base).arg(number);
        if (!QFile::rename(path, aside))
            return cannot(QT_TRANSLATE_NOOP("Salvage",
                              "%1 is damaged and could not be renamed to %2. Check that you may "
                              "write to the folder."),
                path, aside);
        for (const char* companion : kCompanions)
            if (QFileInfo::exists(path + QLatin1String(companion)))
                QFile::rename(path + QLatin1String(companion), aside + QLatin1String(companion));
        QFile::remove(path + QStringLiteral("-shm"));
        return aside;
    }
}

engine::Result<Salvage> salvageDatabase(const QString& path)
{
    TRY(copyForReading(path));
    auto damaged = openForReading(path);
    const bool isGrafted = !damaged;
    if (isGrafted) {
        TRY(graftFirstPage(path));
        damaged = openForReading(path);
    }
    if (!damaged)
        return damaged.error();
    engine::Result<Salvage> salvage = carryOver(**damaged, path, isGrafted);
    damaged->reset();
    removeDatabase(readingPath(path));
    if (!salvage) {
        removeDatabase(newPath(path));
        return salvage;
    }
    TRY_ASSIGN(salvage->setAside, setAside(path));
    finishSalvage(path);
    return salvage;
}

void finishSalvage(const QString& path)
{
    if (QFileInfo::exists(newPath(path)) && !QFileInfo::exists(path))
        QFile::rename(newPath(path), path);
}

} // namespace app
