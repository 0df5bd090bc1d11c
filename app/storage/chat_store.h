#pragma once

#include "app/storage/run_list.h"
#include "app/storage/search_query.h"
#include "app/storage/store_change.h"
#include "app/storage/store_opening.h"
#include "engine/base/result.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace app {

/// The database file: conversations, messages, runs and their tokens (SQLite, one connection).
/// Storage thread only (a QSqlDatabase belongs to the thread that opened it).
/// Errors: Io with the file's name, what failed and what to do; nothing is half written.
class ChatStore {
public:
    /// Creates, migrates or salvages the file as needed; one that cannot be changed is opened for
    /// reading. Error Io: no folder, no permission.
    static engine::Result<std::unique_ptr<ChatStore>> open(const QString& path);
    ~ChatStore();

    const StoreOpening& opening() const;

    /// All of the changes, or none.
    engine::Result<void> write(const StoreChanges& changes);

    engine::Result<StoredIndex> readIndex();
    /// Error NotFound-like (Io) when there is no such conversation.
    engine::Result<StoredChat> readChat(ConversationId id);
    engine::Result<StoredRunDetails> readRun(StoredRunId id);
    /// The runs of everything that is not deleted (run_list.h).
    engine::Result<RunList> listRuns(const RunFilter& filter);
    /// The whole record of a run, schema 1, with prompt and tokens: as a file of it would be.
    engine::Result<nlohmann::ordered_json> readRecord(StoredRunId id);
    /// At most limit hits, newest first.
    engine::Result<std::vector<SearchHit>> search(const SearchQuery& query, int limit);

private:
    struct Parts;
    explicit ChatStore(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace app
