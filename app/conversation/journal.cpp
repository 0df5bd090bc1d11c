#include "app/conversation/journal.h"

#include "app/conversation/stored_turns.h"
#include "app/runs/run_json.h"

#include <QPointer>

namespace app {

namespace {
    constexpr int kRowIntervalMs = 500;
    // Long enough that the end of an answer has been painted.
    constexpr int kPaintDelayMs = 300;
}

Journal::Journal(Storage& storage, QObject* parent)
    : QObject(parent)
    , m_storage(storage)
{
    m_draftTimer.setInterval(kDraftIntervalMs / 2);
    connect(&m_draftTimer, &QTimer::timeout, this, &Journal::sendDrafts);
    m_rowTimer.setSingleShot(true);
    m_rowTimer.setInterval(kRowIntervalMs);
    connect(&m_rowTimer, &QTimer::timeout, this, &Journal::sendRows);
    connect(&storage, &Storage::troubleChanged, this, [this] {
        if (m_storage.trouble())
            releaseStarts();
    });
}

void Journal::watch(Conversation& conversation)
{
    if (conversation.isPrivate())
        return;
    connect(&conversation, &Conversation::rowChanged, this, [this, &conversation] {
        m_changedRows.insert(&conversation);
        if (!m_rowTimer.isActive())
            m_rowTimer.start();
    });
    connect(&conversation, &QObject::destroyed, this, [this, gone = &conversation] {
        m_changedRows.erase(gone);
        std::erase_if(m_runs, [&](const auto& run) { return run.second.conversation == gone; });
    });
    connect(
        &conversation, &Conversation::turnStored, this, [this, &conversation](const Turn& turn) {
            m_changedRows.erase(&conversation);
            m_storage.write({ PutConversation { conversation.row() },
                PutMessage { storedMessage(turn, conversation.id(), true) } });
        });
    connect(&conversation, &Conversation::sourceStored, this,
        [this, &conversation](const SourceText& source) {
            m_changedRows.erase(&conversation);
            m_storage.write({ PutConversation { conversation.row() },
                PutSource { storedSource(source, conversation.id()) } });
        });
    connect(&conversation, &Conversation::sourceMarked, this, [this](SourceId id, bool isRemoved) {
        std::optional<QDateTime> at;
        if (isRemoved)
            at = QDateTime::currentDateTimeUtc();
        m_storage.write({ MarkSourceDeleted { id, at } });
    });
    connect(&conversation, &Conversation::turnShown, this, [this](const Turn& turn) {
        StoreChanges changes;
        for (const Turn* step = &turn; step; step = step->parent)
            changes.push_back(ShowMessage { step->id });
        m_storage.write(std::move(changes));
    });
}

void Journal::sendRows()
{
    StoreChanges changes;
    for (const Conversation* conversation : std::exchange(m_changedRows, {}))
        // A chat in which nothing was ever said or typed is not worth a row.
        if (!conversation->isEmpty() || !conversation->typedText().isEmpty()
            || !conversation->isLoaded())
            changes.push_back(PutConversation { conversation->row() });
    if (!changes.empty())
        m_storage.write(std::move(changes));
}

void Journal::openRun(const Conversation& conversation, const Turn& turn, RunOpening opening,
    std::function<void()> start)
{
    if (conversation.isPrivate())
        return start();
    const Draft* draft = turn.draft();
    const engine::RunId id = draft->runId();
    const int part = int(turn.answer->parts().size()) - 1;
    auto& run = m_runs.emplace(id, OpenedRun { RunRecord(opening), &conversation, draft, 0, 0, {} })
                    .first->second;
    run.sinceSent.start();
    m_waiting.emplace(id, std::move(start));

    StoreChanges changes;
    if (part == 0 && !turn.answer->opening().ids.empty())
        changes.push_back(PutMessage { storedMessage(turn, conversation.id(), true) });
    OpenRun opened;
    opened.run.id = StoredRunId(id);
    opened.run.message = turn.id;
    opened.run.part = part;
    opened.run.record = run.record.withoutPromptAndTokens();
    opened.promptText = opening.promptText;
    opened.promptIds = opening.request.promptIds;
    opened.kept = draft->origin().kept;
    changes.push_back(std::move(opened));
    m_storage.write(std::move(changes), [this, id] {
        if (auto waiting = m_waiting.extract(id))
            waiting.mapped()();
    });
    if (m_storage.trouble())
        releaseStarts();
    m_draftTimer.start();
}

void Journal::releaseStarts()
{
    for (auto& [id, start] : std::exchange(m_waiting, {}))
        start();
}

void Journal::noteEvent(const Draft& draft, const engine::GenerationEvent& event)
{
    const auto found = m_runs.find(draft.runId());
    if (found == m_runs.end())
        return;
    OpenedRun& run = found->second;
    if (std::holds_alternative<engine::RunEnded>(event)) {
        run.record.apply(event);
        sendEnd(run);
        m_runs.erase(found);
        if (m_runs.empty())
            m_draftTimer.stop();
        return;
    }
    if (std::holds_alternative<engine::RunPaused>(event)) {
        run.record.apply(event);
        sendDraft(run); // a pause may last: all that there is is written
        return;
    }
    if (const auto* token = std::get_if<engine::TokenDecoded>(&event))
        run.record.countToken(token->record);
    if (draft.records().size() - run.tokensSent >= kDraftTokenCount)
        sendDraft(run);
}

void Journal::sendDrafts()
{
    for (auto& [id, run] : m_runs)
        if (run.sinceSent.elapsed() >= kDraftIntervalMs - m_draftTimer.interval() / 2)
            sendDraft(run);
}

void Journal::sendDraft(OpenedRun& run)
{
    run.sinceSent.start();
    const Draft& draft = *run.draft;
    const std::vector<engine::TokenRecord>& records = draft.records();
    if (records.size() == run.tokensSent && draft.text().size() == run.textSent)
        return;
    AppendToRun more;
    more.run = StoredRunId(draft.runId());
    more.firstTokenIndex = int(run.tokensSent);
    more.text = draft.text().substr(run.textSent);
    more.tokens.assign(records.begin() + std::ptrdiff_t(run.tokensSent), records.end());
    run.tokensSent = records.size();
    run.textSent = draft.text().size();
    m_storage.write({ std::move(more) });
}

void Journal::sendEnd(OpenedRun& run)
{
    const Draft& draft = *run.draft;
    run.record.setWindowTimes(draft.windowTimes());
    run.record.packPasses(draft.passes());
    const std::vector<engine::TokenRecord>& records = draft.records();
    EndRun end;
    end.run = StoredRunId(draft.runId());
    end.reason = draft.ending()->ledger.reason;
    end.text = draft.text();
    end.firstTokenIndex = int(run.tokensSent);
    end.tokens.assign(records.begin() + std::ptrdiff_t(run.tokensSent), records.end());
    end.record = run.record.withoutPromptAndTokens();
    m_storage.write({ std::move(end) });

    // The last words are painted after the run has ended.
    QTimer::singleShot(kPaintDelayMs, this,
        [this, record = run.record, id = draft.runId(),
            conversation = QPointer(run.conversation)]() mutable {
            const Draft* painted = conversation ? conversation->findDraft(id) : nullptr;
            if (!painted)
                return;
            record.setWindowTimes(painted->windowTimes());
            const nlohmann::ordered_json fields { { "times", record.json().at("times") } };
            m_storage.write({ PutRecordFields { StoredRunId(id), dumped(fields) } });
        });
}

void Journal::noteCheckpointHash(const std::string& digits)
{
    for (auto& [id, run] : m_runs)
        run.record.setCheckpointSha256(digits);
}

void Journal::noteDeleted(const Conversation& conversation)
{
    if (!conversation.isPrivate())
        m_storage.write(
            { MarkConversationDeleted { conversation.id(), conversation.row().deletedAt } });
}

void Journal::noteDeleted(const Conversation& conversation, const Turn& turn)
{
    if (conversation.isPrivate())
        return;
    std::optional<QDateTime> at;
    if (turn.isDeleted)
        at = QDateTime::currentDateTimeUtc();
    m_storage.write({ MarkMessageDeleted { turn.id, at } });
}

void Journal::purge()
{
    m_storage.write({ Purge { QDateTime::currentDateTimeUtc().addMSecs(1) } });
}

void Journal::flush()
{
    for (auto& [id, run] : m_runs)
        sendDraft(run);
    sendRows();
}

} // namespace app
