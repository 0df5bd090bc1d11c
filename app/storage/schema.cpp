#include "app/storage/schema.h"

#include "app/storage/run_facts.h"
#include "app/storage/search_index.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace app {

namespace {
    // Names of copies: <base>-before-version-2-20261130-191500.sqlite
    QString copyPath(const QString& databasePath)
    {
        const QFileInfo info(databasePath);
        const QString base = QStringLiteral("%1/%2-before-version-%3-%4")
                                 .arg(info.absolutePath(), info.completeBaseName())
                                 .arg(schemaVersion())
                                 .arg(QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"));
        QString path = base + QStringLiteral(".sqlite");
        for (int number = 2; QFileInfo::exists(path); ++number)
            path = QStringLiteral("%1-%2.sqlite").arg(base).arg(number);
        return path;
    }
}

std::span<const Migration> migrations()
{
    // Texts of people are TEXT; texts of models are BLOB, since their bytes are kept as they came.
    // run_prompts is apart so that a run's row stays small while it is rewritten.
    // The indexes also serve the list of conversations and salvage: they hold what those read.
    static const std::vector<Migration> kMigrations {
        { 1,
            {
                "CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "CREATE TABLE conversations (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL,"
                " title TEXT NOT NULL, is_named INTEGER NOT NULL,"
                " folder INTEGER REFERENCES folders(id) ON DELETE SET NULL,"
                " created_at INTEGER, changed_at INTEGER, settings BLOB NOT NULL,"
                " typed_text TEXT NOT NULL, document TEXT NOT NULL, deleted_at INTEGER)",
                "CREATE TABLE messages (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL"
                " REFERENCES conversations(id) ON DELETE CASCADE,"
                " parent INTEGER REFERENCES messages(id) ON DELETE CASCADE,"
                " role INTEGER NOT NULL, text TEXT NOT NULL, text_source INTEGER NOT NULL,"
                " text_ids BLOB NOT NULL, is_shown INTEGER NOT NULL, created_at INTEGER,"
                " deleted_at INTEGER)",
                "CREATE TABLE runs (id INTEGER PRIMARY KEY, message INTEGER NOT NULL"
                " REFERENCES messages(id) ON DELETE CASCADE, part INTEGER NOT NULL,"
                " reason TEXT, text BLOB NOT NULL, token_count INTEGER NOT NULL,"
                " record BLOB NOT NULL, model TEXT NOT NULL)",
                "CREATE TABLE run_prompts (run INTEGER PRIMARY KEY"
                " REFERENCES runs(id) ON DELETE CASCADE, text BLOB NOT NULL, ids BLOB NOT NULL)",
                "CREATE TABLE run_chunks (id INTEGER PRIMARY KEY, run INTEGER NOT NULL"
                " REFERENCES runs(id) ON DELETE CASCADE, first_index INTEGER NOT NULL,"
                " text BLOB NOT NULL, ids BLOB NOT NULL, tokens BLOB NOT NULL)",
                "CREATE INDEX folders_by_name ON folders (name)",
                "CREATE INDEX conversations_by_folder ON conversations (folder)",
                "CREATE INDEX conversations_deleted ON conversations (deleted_at)"
                " WHERE deleted_at IS NOT NULL",
                "CREATE INDEX messages_by_conversation ON messages"
                " (conversation, parent, is_shown, role, deleted_at)",
                "CREATE INDEX messages_by_parent ON messages (parent)",
                "CREATE INDEX messages_deleted ON messages (deleted_at)"
                " WHERE deleted_at IS NOT NULL",
                "CREATE INDEX runs_by_message ON runs (message, part, reason)",
                "CREATE INDEX runs_under_way ON runs (id) WHERE reason IS NULL",
                "CREATE INDEX run_chunks_by_run ON run_chunks (run, first_index)",
            } },
        { 2,
            {
                kCreateSearchIndex,
            },
            indexEverything },
        { 3,
            {
                "CREATE TABLE sources (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL"
                " REFERENCES conversations(id) ON DELETE CASCADE, name TEXT NOT NULL,"
                " text BLOB NOT NULL, deleted_at INTEGER)",
                "CREATE INDEX sources_by_conversation ON sources (conversation)",
                "CREATE INDEX sources_deleted ON sources (deleted_at)"
                " WHERE deleted_at IS NOT NULL",
            } },
        { 4,
            {
                "CREATE TABLE kept_tokens (run INTEGER PRIMARY KEY"
                " REFERENCES runs(id) ON DELETE CASCADE, kept BLOB NOT NULL)",
            } },
        { 5,
            {
                kCreateRunFacts,
            },
            noteAllRunFacts },
    };
    return kMigrations;
}

int schemaVersion() { return migrations().back().version; }

engine::Result<QString> migrate(Database& database, int fromVersion)
{
    QString copy;
    if (fromVersion == schemaVersion())
        return copy;
    if (fromVersion > 0) {
        copy = copyPath(database.path());
        TRY(database.run("VACUUM INTO ?", { copy }));
    }
    const engine::Result<void> written
        = database.inTransaction(true, [&]() -> engine::Result<void> {
              for (const Migration& step : migrations()) {
                  if (step.version <= fromVersion)
                      continue;
                  for (const char* statement : step.statements)
                      TRY(database.run(statement));
                  if (step.fill)
                      TRY(step.fill(database));
              }
              const QByteArray setVersion
                  = "PRAGMA user_version = " + QByteArray::number(schemaVersion());
              return database.run(setVersion.constData());
          });
    if (!written)
        return written.error();
    return copy;
}

void removeCopies(const QString& databasePath, const QDateTime& olderThan)
{
    const QFileInfo info(databasePath);
    const QString pattern = info.completeBaseName() + QStringLiteral("-before-version-*.sqlite");
    for (const QFileInfo& copy : QDir(info.absolutePath()).entryInfoList({ pattern }, QDir::Files))
        if (copy.lastModified() < olderThan)
            QFile::remove(copy.absoluteFilePath());
}

} // namespace app
