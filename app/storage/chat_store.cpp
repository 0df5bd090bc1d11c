#include "app/storage/chat_store.h"

#include "app/storage/change_writer.h"
#include "app/storage/chat_reader.h"
#include "app/storage/chat_search.h"
#include "app/storage/interrupted_runs.h"
#include "app/storage/salvage.h"
#include "app/storage/schema.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace app {

namespace {
    // Files up to this size are checked at every start, not only after an unclean exit: it takes
    // less than a tenth of a second.
    constexpr qint64 kAlwaysCheckedBytes = 32 << 20;

    QString tr(const char* text) { return QCoreApplication::translate("ChatStore", text); }

    // Left beside a file that was found damaged while it was in use.
    QString damageMark(const QString& path) { return path + QStringLiteral("-check"); }

    engine::Result<void> makeFolder(const QString& path)
    {
        const QString folder = QFileInfo(path).absolutePath();
        if (QDir().mkpath(folder))
            return {};
        return engine::Error::io(tr("The folder %1 could not be made. Check that there is no file "
                                    "of that name and that you may write beside it.")
                                     .arg(QDir::toNativeSeparators(folder))
                                     .toStdString());
    }

    bool mustCheck(const QString& path)
    {
        // A log that was not emptied: whoever wrote it did not close the file.
        const bool wasUnclean = QFileInfo(path + QStringLiteral("-wal")).size() > 0;
        return wasUnclean || QFileInfo::exists(damageMark(path))
            || QFileInfo(path).size() <= kAlwaysCheckedBytes;
    }

    engine::Result<bool> isSound(Database& database)
    {
        QString verdict;
        TRY(database.each("PRAGMA quick_check(1)", {},
            [&verdict](const QSqlQuery& row) { verdict = row.value(0).toString(); }));
        return verdict == QStringLiteral("ok");
    }

    struct Attempt {
        std::unique_ptr<Database> database;
        StoreOpening opening;
        int interruptedCount = 0;
        bool isDamaged = false;
    };

    engine::Result<void> prepare(Attempt& attempt, bool check)
    {
        Database& database = *attempt.database;
        if (check) {
            TRY_ASSIGN(const bool sound, isSound(database));
            attempt.isDamaged = !sound;
            if (!sound)
                return engine::Error::io(database.path().toStdString() + " is damaged.");
        }
        TRY_ASSIGN(const qint64 version, database.number("PRAGMA user_version"));
        if (version > schemaVersion()) {
            attempt.opening.isReadOnly = true;
            return database.forbidChanges(
                tr("%1 was written by a newer version of Tokenglass. It is shown, but changes "
                   "cannot be saved: use the newer version.")
                    .arg(QDir::toNativeSeparators(database.path())));
        }
        for (const char* setting : { "PRAGMA journal_mode = WAL", "PRAGMA secure_delete = ON",
                 "PRAGMA foreign_keys = ON", "PRAGMA trusted_schema = OFF" })
            TRY(database.run(setting));
        TRY_ASSIGN(attempt.opening.copyBeforeMigration, migrate(database, int(version)));
        TRY_ASSIGN(attempt.interruptedCount, closeInterruptedRuns(database));
        // Reads every row that the list needs, so that damage there is found now.
        TRY(ChatReader(database).readIndex());
        return {};
    }

    // SQLite takes what is shorter than its first page for a new file, and would write over it.
    bool isCutOff(const QString& path)
    {
        constexpr qint64 kPageBytes = 4096;
        const qint64 size = QFileInfo(path).size();
        return size > 0 && size < kPageBytes;
    }

    engine::Result<void> openOnce(const QString& path, Attempt& attempt)
    {
        if (isCutOff(path)) {
            attempt.isDamaged = true;
            return engine::Error::io(path.toStdString() + " is damaged: it was cut off.");
        }
        const bool check = mustCheck(path);
        TRY_ASSIGN(attempt.database, Database::open(path));
        engine::Result<void> result = prepare(attempt, check);
        attempt.isDamaged = attempt.isDamaged || attempt.database->foundDamage();
        if (!result)
            attempt.database.reset();
        return result;
    }
}

struct ChatStore::Parts {
    std::unique_ptr<Database> database;
    StoreOpening opening;
    int interruptedCount = 0;
    bool mustEmptyLog = false;

    // After a Purge, again and again until it works: the log holds what was overwritten.
    void emptyLog()
    {
        qint64 isBusy = 1;
        const auto result = database->each("PRAGMA wal_checkpoint(TRUNCATE)", {},
            [&isBusy](const QSqlQuery& row) { isBusy = row.value(0).toLongLong(); });
        mustEmptyLog = !result || isBusy != 0;
    }

    // A file found damaged in use is looked at closely at the next start.
    template <typename T> engine::Result<T> checked(engine::Result<T> result) const
    {
        if (!result && database->foundDamage()) {
            QFile mark(damageMark(database->path()));
            (void)mark.open(QIODevice::WriteOnly);
        }
        return result;
    }
};

ChatStore::ChatStore(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

ChatStore::~ChatStore() = default;

engine::Result<std::unique_ptr<ChatStore>> ChatStore::open(const QString& path)
{
    TRY(makeFolder(path));
    finishSalvage(path);
    Attempt attempt;
    engine::Result<void> result = openOnce(path, attempt);
    if (!result && attempt.isDamaged) {
        TRY_ASSIGN(const Salvage salvage, salvageDatabase(path));
        attempt = {};
        result = openOnce(path, attempt);
        attempt.opening.setAside = salvage.setAside;
        attempt.opening.salvagedConversationCount = salvage.conversationCount;
        attempt.opening.lostRowCount = salvage.lostRowCount;
    }
    if (!result)
        return result.error();
    QFile::remove(damageMark(path));
    auto parts = std::make_unique<Parts>();
    parts->database = std::move(attempt.database);
    parts->opening = attempt.opening;
    parts->interruptedCount = attempt.interruptedCount;
    return std::unique_ptr<ChatStore>(new ChatStore(std::move(parts)));
}

const StoreOpening& ChatStore::opening() const { return m_parts->opening; }

engine::Result<void> ChatStore::write(const StoreChanges& changes)
{
    if (m_parts->mustEmptyLog)
        m_parts->emptyLog();
    if (changes.empty())
        return {};
    ChangeWriter writer(*m_parts->database);
    const bool isDurable = std::any_of(changes.begin(), changes.end(), mustBeDurable);
    const engine::Result<void> written = m_parts->checked(
        m_parts->database->inTransaction(isDurable, [&]() -> engine::Result<void> {
            for (const StoreChange& change : changes)
                TRY(writer.apply(change));
            return {};
        }));
    if (!written)
        return written.error();
    if (!writer.purgedBefore())
        return {};
    removeCopies(m_parts->database->path(), *writer.purgedBefore());
    m_parts->emptyLog();
    return {};
}

engine::Result<StoredIndex> ChatStore::readIndex()
{
    auto index = m_parts->checked(ChatReader(*m_parts->database).readIndex());
    if (index)
        index->interruptedCount = m_parts->interruptedCount;
    return index;
}

engine::Result<StoredChat> ChatStore::readChat(ConversationId id)
{
    return m_parts->checked(ChatReader(*m_parts->database).readChat(id));
}

engine::Result<StoredRunDetails> ChatStore::readRun(StoredRunId id)
{
    return m_parts->checked(ChatReader(*m_parts->database).readRun(id));
}

engine::Result<std::vector<SearchHit>> ChatStore::search(const SearchQuery& query, int limit)
{
    return m_parts->checked(ChatSearch(*m_parts->database).find(query, limit));
}

} // namespace app
