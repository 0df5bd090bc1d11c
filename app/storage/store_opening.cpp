#include "app/storage/store_opening.h"

#include "app/storage/chat_reader.h"
#include "app/storage/interrupted_runs.h"
#include "app/storage/salvage.h"
#include "app/storage/schema.h"
#include "app/storage/search_index.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace app {

namespace {
    // Files up to this size are checked at every start, not only after an unclean exit: it takes
    // less than a tenth of a second.
    constexpr qint64 kAlwaysCheckedBytes = 32 << 20;

    QString tr(const char* text) { return QCoreApplication::translate("StoreOpening", text); }

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
        OpenedDatabase opened;
        bool isDamaged = false;
    };

    engine::Result<void> prepare(Attempt& attempt, bool check)
    {
        Database& database = *attempt.opened.database;
        StoreOpening& opening = attempt.opened.opening;
        if (check) {
            TRY_ASSIGN(const bool sound, isSound(database));
            attempt.isDamaged = !sound;
            if (!sound)
                return engine::Error::io(database.path().toStdString() + " is damaged.");
        }
        TRY_ASSIGN(const qint64 version, database.number("PRAGMA user_version"));
        if (version > schemaVersion()) {
            opening.isReadOnly = opening.isOfNewerVersion = true;
            opening.readOnlyReason
                = tr("%1 was written by a newer version of Tokenglass. It is shown, but changes "
                     "cannot be saved: use the newer version.")
                      .arg(QDir::toNativeSeparators(database.path()));
            return database.forbidChanges(opening.readOnlyReason);
        }
        for (const char* setting : { "PRAGMA journal_mode = WAL", "PRAGMA secure_delete = ON",
                 "PRAGMA foreign_keys = ON", "PRAGMA trusted_schema = OFF",
                 // The log is moved by ChatStore, when nothing waits for it.
                 "PRAGMA wal_autocheckpoint = 0" })
            TRY(database.run(setting));
        TRY_ASSIGN(opening.copyBeforeMigration, migrate(database, int(version)));
        // The damage may have been in the search index, which no check of the file looks into.
        if (QFileInfo::exists(damageMark(database.path())))
            TRY(rebuildIndex(database));
        TRY_ASSIGN(attempt.opened.interruptedCount, closeInterruptedRuns(database));
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
        TRY_ASSIGN(attempt.opened.database, Database::open(path));
        engine::Result<void> result = prepare(attempt, check);
        attempt.isDamaged = attempt.isDamaged || attempt.opened.database->foundDamage();
        if (!result)
            attempt.opened.database.reset();
        return result;
    }

    // The words of an error, without what SQLite says.
    QString wordsOf(const engine::Error& error)
    {
        const QString whole = QString::fromStdString(error.message);
        return whole.left(whole.lastIndexOf(QStringLiteral(" (")));
    }

    // What can be shown while the disk is full or the folder may not be written. Fails when there
    // is nothing of this version to show.
    engine::Result<OpenedDatabase> openForReading(const QString& path, const engine::Error& why)
    {
        const bool hasLog = QFileInfo(path + QStringLiteral("-wal")).size() > 0;
        for (const auto access : { Database::Access::Usual, Database::Access::Unchanging }) {
            // Without its log the file is not what was written last.
            if (!QFileInfo::exists(path) || (hasLog && access == Database::Access::Unchanging))
                break;
            auto database = Database::open(path, access);
            if (!database)
                continue;
            OpenedDatabase opened { std::move(*database) };
            opened.opening.isReadOnly = true;
            opened.opening.readOnlyReason = wordsOf(why);
            const auto version = opened.database->number("PRAGMA user_version");
            if (version && *version == schemaVersion()
                && opened.database->forbidChanges(opened.opening.readOnlyReason)
                && ChatReader(*opened.database).readIndex())
                return opened;
        }
        return why;
    }
}

engine::Result<OpenedDatabase> openDatabase(const QString& path)
{
    TRY(makeFolder(path));
    finishSalvage(path);
    Attempt attempt;
    engine::Result<void> result = openOnce(path, attempt);
    if (!result && attempt.isDamaged) {
        TRY_ASSIGN(const Salvage salvage, salvageDatabase(path));
        attempt = {};
        result = openOnce(path, attempt);
        attempt.opened.opening.setAside = salvage.setAside;
        attempt.opened.opening.salvagedConversationCount = salvage.conversationCount;
        attempt.opened.opening.lostRowCount = salvage.lostRowCount;
    }
    if (!result)
        return openForReading(path, result.error());
    QFile::remove(damageMark(path));
    return std::move(attempt.opened);
}

void markDamaged(const QString& path)
{
    QFile mark(damageMark(path));
    (void)mark.open(QIODevice::WriteOnly);
}

} // namespace app
