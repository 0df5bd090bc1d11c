#include "tests/app/storage/naive_store.h"

#include "app/storage/interrupted_runs.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tests {

namespace {
    template <typename Map> auto keysOf(const Map& map)
    {
        std::vector<typename Map::key_type> keys;
        for (const auto& [key, value] : map)
            keys.push_back(key);
        return keys;
    }

    bool isBefore(const std::optional<QDateTime>& deletedAt, const QDateTime& limit)
    {
        return deletedAt && *deletedAt < limit;
    }
}

void NaiveStore::apply(const app::StoreChange& change)
{
    std::visit([this](const auto& one) { put(one); }, change);
}

int NaiveStore::restart()
{
    int count = 0;
    for (auto& [id, run] : m_runs) {
        if (run.reason)
            continue;
        run.reason = engine::StopReason::Interrupted;
        run.record = app::interruptedRecord(run.record, run.text);
        ++count;
    }
    return count;
}

void NaiveStore::put(const app::PutFolder& change) { m_folders[change.folder.id] = change.folder; }

void NaiveStore::put(const app::RemoveFolder& change)
{
    m_folders.erase(change.folder);
    for (auto& [id, conversation] : m_conversations)
        if (conversation.folder == change.folder)
            conversation.folder = 0;
}

void NaiveStore::put(const app::PutConversation& change)
{
    app::StoredConversation& row = m_conversations[change.conversation.id];
    const QString document = row.document.value_or(QString());
    row = change.conversation;
    if (!row.document)
        row.document = document;
}

void NaiveStore::show(app::MessageId id)
{
    const auto found = m_messages.find(id);
    if (found == m_messages.end())
        return;
    for (auto& [other, message] : m_messages)
        if (message.conversation == found->second.conversation
            && message.parent == found->second.parent)
            message.isShown = other == id;
}

void NaiveStore::put(const app::PutMessage& change)
{
    m_messages[change.message.id] = change.message;
    if (change.message.isShown)
        show(change.message.id);
}

void NaiveStore::put(const app::ShowMessage& change) { show(change.message); }

void NaiveStore::put(const app::MarkMessageDeleted& change)
{
    if (m_messages.contains(change.message))
        m_messages[change.message].deletedAt = change.deletedAt;
}

void NaiveStore::put(const app::MarkConversationDeleted& change)
{
    if (m_conversations.contains(change.conversation))
        m_conversations[change.conversation].deletedAt = change.deletedAt;
}

void NaiveStore::put(const app::PutSource& change) { m_sources[change.source.id] = change.source; }

void NaiveStore::put(const app::MarkSourceDeleted& change)
{
    if (m_sources.contains(change.source))
        m_sources[change.source].deletedAt = change.deletedAt;
}

void NaiveStore::removeMessage(app::MessageId id)
{
    for (const app::MessageId child : keysOf(m_messages))
        if (m_messages.contains(child) && m_messages[child].parent == id)
            removeMessage(child);
    for (const app::StoredRunId run : keysOf(m_runs)) {
        if (m_runs[run].message != id)
            continue;
        m_runs.erase(run);
        m_details.erase(run);
    }
    m_messages.erase(id);
}

void NaiveStore::put(const app::Purge& change)
{
    for (const app::MessageId id : keysOf(m_messages)) {
        const auto found = m_messages.find(id);
        if (found == m_messages.end())
            continue;
        const auto& conversation = m_conversations.at(found->second.conversation);
        if (isBefore(conversation.deletedAt, change.deletedBefore)
            || isBefore(found->second.deletedAt, change.deletedBefore))
            removeMessage(id);
    }
    std::erase_if(m_sources, [&](const auto& entry) {
        return isBefore(entry.second.deletedAt, change.deletedBefore)
            || isBefore(
                m_conversations.at(entry.second.conversation).deletedAt, change.deletedBefore);
    });
    std::erase_if(m_conversations, [&change](const auto& entry) {
        return isBefore(entry.second.deletedAt, change.deletedBefore);
    });
}

void NaiveStore::put(const app::OpenRun& change)
{
    m_runs[change.run.id] = change.run;
    m_details[change.run.id] = { change.promptText, change.promptIds, {}, change.kept };
}

void NaiveStore::put(const app::AppendToRun& change)
{
    const auto found = m_runs.find(change.run);
    if (found == m_runs.end() || found->second.reason)
        return;
    found->second.text += change.text;
    found->second.tokenCount += int(change.tokens.size());
    auto& tokens = m_details[change.run].tokens;
    tokens.insert(tokens.end(), change.tokens.begin(), change.tokens.end());
}

void NaiveStore::put(const app::EndRun& change)
{
    const auto found = m_runs.find(change.run);
    if (found == m_runs.end() || found->second.reason)
        return;
    put(app::AppendToRun { change.run, change.firstTokenIndex, {}, change.tokens });
    found->second.reason = change.reason;
    found->second.text = change.text;
    found->second.record = change.record;
}

void NaiveStore::put(const app::PutRecord& change)
{
    if (m_runs.contains(change.run))
        m_runs[change.run].record = change.record;
}

void NaiveStore::put(const app::PutRecordFields& change)
{
    if (!m_runs.contains(change.run))
        return;
    auto record = nlohmann::ordered_json::parse(m_runs[change.run].record, nullptr, false);
    const auto fields = nlohmann::ordered_json::parse(change.fields);
    if (!record.is_object())
        return;
    for (const auto& [key, value] : fields.items())
        record[key] = value;
    m_runs[change.run].record = record.dump();
}

bool NaiveStore::isLive(app::MessageId id) const
{
    for (app::MessageId at = id; at != 0; at = m_messages.at(at).parent)
        if (m_messages.at(at).deletedAt)
            return false;
    return true;
}

app::StoredChat NaiveStore::chat(app::ConversationId id) const
{
    app::StoredChat chat;
    chat.conversation = m_conversations.at(id);
    for (const auto& [sourceId, source] : m_sources)
        if (source.conversation == id && !source.deletedAt)
            chat.sources.push_back(source);
    std::map<app::MessageId, std::vector<app::MessageId>> siblings;
    for (const auto& [messageId, message] : m_messages) {
        if (message.conversation != id || !isLive(messageId))
            continue;
        chat.messages.push_back(message);
        siblings[message.parent].push_back(messageId);
    }
    for (app::StoredMessage& message : chat.messages) {
        const auto& group = siblings[message.parent];
        const bool noneIsShown = std::none_of(group.begin(), group.end(),
            [this](app::MessageId sibling) { return m_messages.at(sibling).isShown; });
        if (noneIsShown)
            message.isShown = message.id == group.back();
    }
    for (const app::StoredMessage& message : chat.messages)
        for (const auto& [runId, run] : m_runs)
            if (run.message == message.id)
                chat.runs.push_back(run);
    std::stable_sort(
        chat.runs.begin(), chat.runs.end(), [](const app::StoredRun& a, const app::StoredRun& b) {
            return std::pair(a.message, a.part) < std::pair(b.message, b.part);
        });
    return chat;
}

app::StoredIndex NaiveStore::index() const
{
    app::StoredIndex index;
    for (const auto& [id, folder] : m_folders)
        index.folders.push_back(folder);
    std::stable_sort(index.folders.begin(), index.folders.end(),
        [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const app::ConversationId id : liveConversations()) {
        const app::StoredChat whole = chat(id);
        app::StoredSummary summary { whole.conversation };
        summary.isEmpty = whole.messages.empty() && whole.sources.empty()
            && whole.conversation.document.value_or(QString()).isEmpty();
        summary.conversation.document.reset();
        app::MessageId parent = 0;
        for (bool isFound = true; isFound;) {
            isFound = false;
            for (const app::StoredMessage& message : whole.messages) {
                if (message.parent != parent || !message.isShown)
                    continue;
                parent = message.id;
                isFound = true;
                const app::StoredRun* last = nullptr;
                for (const app::StoredRun& run : whole.runs)
                    if (run.message == message.id)
                        last = &run;
                const bool isAnswer = message.role == app::TurnRole::Model && last;
                summary.lastReason = isAnswer ? last->reason : std::nullopt;
                if (isAnswer && last->reason != engine::StopReason::EndToken)
                    ++summary.unfinishedCount;
                break;
            }
        }
        index.conversations.push_back(summary);
    }
    std::sort(index.conversations.begin(), index.conversations.end(),
        [](const app::StoredSummary& a, const app::StoredSummary& b) {
            return std::pair(a.conversation.changedAt, a.conversation.id)
                > std::pair(b.conversation.changedAt, b.conversation.id);
        });
    for (const auto& ids : { keysOf(m_folders), keysOf(m_conversations), keysOf(m_messages),
             keysOf(m_runs), keysOf(m_sources) })
        if (!ids.empty())
            index.largestId = std::max(index.largestId, ids.back());
    return index;
}

std::vector<app::ConversationId> NaiveStore::liveConversations() const
{
    std::vector<app::ConversationId> ids;
    for (const auto& [id, conversation] : m_conversations)
        if (!conversation.deletedAt)
            ids.push_back(id);
    return ids;
}

std::vector<app::ConversationId> NaiveStore::allConversations() const
{
    return keysOf(m_conversations);
}

std::vector<app::MessageId> NaiveStore::messagesOf(app::ConversationId id) const
{
    std::vector<app::MessageId> ids;
    for (const auto& [messageId, message] : m_messages)
        if (message.conversation == id)
            ids.push_back(messageId);
    return ids;
}

std::vector<app::SourceId> NaiveStore::sourcesOf(app::ConversationId id) const
{
    std::vector<app::SourceId> ids;
    for (const auto& [sourceId, source] : m_sources)
        if (source.conversation == id)
            ids.push_back(sourceId);
    return ids;
}

std::vector<app::StoredRunId> NaiveStore::runs() const { return keysOf(m_runs); }

std::vector<app::FolderId> NaiveStore::folders() const { return keysOf(m_folders); }

} // namespace tests
