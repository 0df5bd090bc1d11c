#pragma once

#include "app/storage/store_change.h"

#include <map>

namespace tests {

/// What ChatStore must read, by maps and loops that are too plain to be wrong.
class NaiveStore {
public:
    void apply(const app::StoreChange& change);
    /// The program ends, and starts again: runs under way are interrupted. Returns how many.
    int restart();

    app::StoredIndex index() const;
    app::StoredChat chat(app::ConversationId id) const;
    app::StoredRunDetails details(app::StoredRunId id) const { return m_details.at(id); }

    std::vector<app::ConversationId> liveConversations() const;
    std::vector<app::ConversationId> allConversations() const;
    /// Messages that are still stored, deleted ones too.
    std::vector<app::MessageId> messagesOf(app::ConversationId id) const;
    std::vector<app::SourceId> sourcesOf(app::ConversationId id) const;
    std::vector<app::StoredRunId> runs() const;
    std::vector<app::FolderId> folders() const;
    const app::StoredRun& run(app::StoredRunId id) const { return m_runs.at(id); }
    bool isUnderWay(app::StoredRunId id) const { return !m_runs.at(id).reason; }
    const app::StoredMessage& message(app::MessageId id) const { return m_messages.at(id); }

private:
    void put(const app::PutFolder& change);
    void put(const app::RemoveFolder& change);
    void put(const app::PutConversation& change);
    void put(const app::PutMessage& change);
    void put(const app::ShowMessage& change);
    void put(const app::MarkMessageDeleted& change);
    void put(const app::MarkConversationDeleted& change);
    void put(const app::PutSource& change);
    void put(const app::MarkSourceDeleted& change);
    void put(const app::Purge& change);
    void put(const app::OpenRun& change);
    void put(const app::AppendToRun& change);
    void put(const app::EndRun& change);
    void put(const app::PutRecord& change);
    void put(const app::PutRecordFields& change);
    void removeMessage(app::MessageId id);
    bool isLive(app::MessageId id) const;
    void show(app::MessageId id);

    std::map<app::FolderId, app::StoredFolder> m_folders;
    std::map<app::ConversationId, app::StoredConversation> m_conversations;
    std::map<app::MessageId, app::StoredMessage> m_messages;
    std::map<app::StoredRunId, app::StoredRun> m_runs;
    std::map<app::SourceId, app::StoredSource> m_sources;
    std::map<app::StoredRunId, app::StoredRunDetails> m_details;
};

} // namespace tests
