#pragma once

#include "app/storage/database.h"
#include "app/storage/stored_chat.h"

namespace app {

/// Turns rows into the values of stored_chat.h. Storage thread.
/// Errors: those of Database; Io when what was asked for is not there or cannot be read.
class ChatReader {
public:
    explicit ChatReader(Database& database)
        : m_database(database)
    {
    }

    /// Without interruptedCount.
    engine::Result<StoredIndex> readIndex();
    engine::Result<StoredChat> readChat(ConversationId id);
    engine::Result<StoredRunDetails> readRun(StoredRunId id);

private:
    engine::Result<void> readMessages(StoredChat& chat);
    engine::Result<void> readRuns(StoredChat& chat);
    engine::Result<void> readSources(StoredChat& chat);
    engine::Result<void> readGrowingText(StoredRun& run);

    Database& m_database;
};

} // namespace app
