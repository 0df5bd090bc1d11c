#include "app/storage/chat_store.h"

#include "app/storage/change_writer.h"
#include "app/storage/chat_reader.h"
#include "app/storage/chat_search.h"
#include "app/storage/interrupted_runs.h"
#include "app/storage/record_rows.h"
#include "app/storage/schema.h"

#include <QFileInfo>

#include <algorithm>

namespace app {

namespace {
    // Where the log is moved into the database. Growing drafts never wait for that.
    constexpr qint64 kLargestLogBytes = 4 << 20;
}

struct ChatStore::Parts {
    std::unique_ptr<Database> database;
    StoreOpening opening;
    int interruptedCount = 0;
    bool mustEmptyLog = false;

    qint64 logBytes() const { return QFileInfo(database->path() + QStringLiteral("-wal")).size(); }

    // Whether the log is empty now; it may stay as it is, nothing depends on it.
    bool shortenLog()
    {
        qint64 isBusy = 1;
        const auto result = database->each("PRAGMA wal_checkpoint(TRUNCATE)", {},
            [&isBusy](const QSqlQuery& row) { isBusy = row.value(0).toLongLong(); });
        return result && isBusy == 0;
    }

    // After a Purge, again and again until it works: the log holds what was overwritten.
    void emptyLog() { mustEmptyLog = !shortenLog(); }

    // A file found damaged in use is looked at closely at the next start.
    template <typename T> engine::Result<T> checked(engine::Result<T> result) const
    {
        if (!result && database->foundDamage()) {
            markDamaged(database->path());
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
    TRY_ASSIGN(OpenedDatabase opened, openDatabase(path));
    auto parts = std::make_unique<Parts>();
    parts->database = std::move(opened.database);
    parts->opening = opened.opening;
    parts->interruptedCount = opened.interruptedCount;
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
    if (writer.purgedBefore()) {
        removeCopies(m_parts->database->path(), *writer.purgedBefore());
        m_parts->emptyLog();
    } else if (isDurable && m_parts->logBytes() > kLargestLogBytes) {
        m_parts->shortenLog();
    }
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
    auto chat = m_parts->checked(ChatReader(*m_parts->database).readChat(id));
    if (!chat || !m_parts->opening.isReadOnly)
        return chat;
    // Whatever is under way in a file that this program cannot change, its writer is gone.
    for (StoredRun& run : chat->runs) {
        if (run.reason)
            continue;
        run.reason = engine::StopReason::Interrupted;
        run.record = interruptedRecord(run.record, run.text);
    }
    return chat;
}

engine::Result<StoredRunDetails> ChatStore::readRun(StoredRunId id)
{
    return m_parts->checked(ChatReader(*m_parts->database).readRun(id));
}

engine::Result<RunList> ChatStore::listRuns(const RunFilter& filter)
{
    return m_parts->checked(app::listRuns(*m_parts->database, filter));
}

engine::Result<nlohmann::ordered_json> ChatStore::readRecord(StoredRunId id)
{
    return m_parts->checked(readRecordRows(*m_parts->database, id));
}

engine::Result<std::vector<SearchHit>> ChatStore::search(const SearchQuery& query, int limit)
{
    return m_parts->checked(ChatSearch(*m_parts->database).find(query, limit));
}

} // namespace app
