#pragma once

#include "app/storage/database.h"
#include "app/storage/store_change.h"

namespace app {

/// Puts one change into the tables, within the caller's transaction. Storage thread.
class ChangeWriter {
public:
    explicit ChangeWriter(Database& database)
        : m_database(database)
    {
    }

    engine::Result<void> apply(const StoreChange& change);
    /// Set by a Purge: the log still holds what it overwrote until it is emptied.
    const std::optional<QDateTime>& purgedBefore() const { return m_purgedBefore; }

private:
    engine::Result<void> apply(const PutFolder& change);
    engine::Result<void> apply(const RemoveFolder& change);
    engine::Result<void> apply(const PutConversation& change);
    engine::Result<void> apply(const PutMessage& change);
    engine::Result<void> apply(const ShowMessage& change);
    engine::Result<void> apply(const MarkMessageDeleted& change);
    engine::Result<void> apply(const MarkConversationDeleted& change);
    engine::Result<void> apply(const PutSource& change);
    engine::Result<void> apply(const MarkSourceDeleted& change);
    engine::Result<void> apply(const Purge& change);
    engine::Result<void> apply(const OpenRun& change);
    engine::Result<void> apply(const AppendToRun& change);
    engine::Result<void> apply(const EndRun& change);
    engine::Result<void> apply(const PutRecord& change);
    engine::Result<void> apply(const PutRecordFields& change);

    engine::Result<void> hideSiblings(MessageId message);
    engine::Result<bool> isUnderWay(StoredRunId run);

    Database& m_database;
    std::optional<QDateTime> m_purgedBefore;
};

/// File and name of the checkpoint in a run's record, for searches; "" when it has none.
QString modelNames(const std::string& record);

} // namespace app
