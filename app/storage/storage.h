#pragma once

#include "app/storage/chat_store.h"

#include <QObject>

#include <functional>
#include <memory>

namespace app {

/// What a person should know of the store, in words.
struct StorageTrouble {
    QString title; ///< "Conversations are not being saved"
    QString message; ///< what failed, which file, what to do; that nothing is lost meanwhile
    QString details;

    bool operator==(const StorageTrouble&) const = default;
};

class StorageThread;

/// The storage thread as the GUI thread sees it: changes go in, in order; answers come back on the
/// GUI thread. What cannot be written stays in memory and is tried again every few seconds, and
/// with every further change; later changes wait behind it.
/// Growing drafts may be joined before they are written. The destructor writes what is left.
class Storage : public QObject {
    Q_OBJECT
public:
    /// Opens the file on the storage thread; opened() tells how that went.
    explicit Storage(const QString& path, QObject* parent = nullptr);
    ~Storage() override;

    /// written: called once the changes are in the file, on the GUI thread; not called when the
    /// object goes before that.
    void write(StoreChanges changes, std::function<void()> written = {});

    void readChat(ConversationId id, std::function<void(engine::Result<StoredChat>)> answer);
    void readRun(StoredRunId id, std::function<void(engine::Result<StoredRunDetails>)> answer);
    void listRuns(RunFilter filter, std::function<void(engine::Result<RunList>)> answer);
    void readRecord(
        StoredRunId id, std::function<void(engine::Result<nlohmann::ordered_json>)> answer);
    void search(SearchQuery query, int limit,
        std::function<void(engine::Result<std::vector<SearchHit>>)> answer);

    /// None while everything could be written.
    const std::optional<StorageTrouble>& trouble() const { return m_trouble; }
    /// Changes that are only in memory.
    int unwrittenCount() const { return m_unwrittenCount; }
    /// Waits until everything has been tried once; true when nothing is left unwritten. Answers and
    /// signals that are due come before it returns.
    bool flush(int timeoutMs);

signals:
    /// The store is open (or could not be: trouble() says so, and the index is empty).
    void opened(const app::StoredIndex& index, const app::StoreOpening& opening);
    void troubleChanged();

private:
    template <typename T>
    void read(std::function<engine::Result<T>(ChatStore&)> work,
        std::function<void(engine::Result<T>)> answer);

    std::optional<StorageTrouble> m_trouble;
    int m_unwrittenCount = 0;
    std::unique_ptr<StorageThread> m_thread; // last: it is joined while the others are there
};

} // namespace app
