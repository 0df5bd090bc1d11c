#pragma once

#include "app/conversation/conversation.h"
#include "app/runs/run_record.h"
#include "app/storage/storage.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <set>
#include <unordered_map>

namespace app {

/// Tells the store what happens in the conversations it watches: turns and rows as they change, a
/// growing draft every 250 ms or 64 tokens, its end together with its record. Private
/// conversations are left out. GUI thread.
class Journal : public QObject {
    Q_OBJECT
public:
    static constexpr int kDraftIntervalMs = 250;
    static constexpr int kDraftTokenCount = 64;

    explicit Journal(Storage& storage, QObject* parent = nullptr);

    void watch(Conversation& conversation);
    /// start is called once the turns before the run and the run itself are safe on the disk, or as
    /// soon as the store is in trouble: a full disk must not keep a person from chatting.
    void openRun(const Conversation& conversation, const Turn& turn, RunOpening opening,
        std::function<void()> start);
    /// After the event has been applied to the draft.
    void noteEvent(const Draft& draft, const engine::GenerationEvent& event);
    /// Of the model that writes the runs under way.
    void noteCheckpointHash(const std::string& digits);
    void noteDeleted(const Conversation& conversation);
    void noteDeleted(const Conversation& conversation, const Turn& turn);
    /// What was marked as deleted goes for good.
    void purge();
    /// Sends everything that waits for a timer.
    void flush();

private:
    struct OpenedRun {
        RunRecord record;
        const Conversation* conversation = nullptr;
        const Draft* draft = nullptr; ///< of that conversation
        size_t tokensSent = 0;
        size_t textSent = 0;
        QElapsedTimer sinceSent;
    };
    void sendDraft(OpenedRun& run);
    void sendDrafts();
    void sendEnd(OpenedRun& run);
    void sendRows();
    void releaseStarts();

    Storage& m_storage;
    std::unordered_map<engine::RunId, OpenedRun> m_runs;
    std::unordered_map<engine::RunId, std::function<void()>> m_waiting; ///< for durability
    std::set<const Conversation*> m_changedRows;
    QTimer m_draftTimer;
    QTimer m_rowTimer;
};

} // namespace app
