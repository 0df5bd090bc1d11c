#pragma once

#include "engine/base/mailbox.h"
#include "engine/session/event_sink.h"
#include "engine/session/inference_command.h"
#include "engine/session/generation.h"
#include "engine/session/loaded_model.h"
#include "engine/session/side_runs.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace engine {

/// What the inference thread does: takes commands, serves loads and runs one after the other, and
/// looks into the mailbox between two tokens, so that a cancel never waits for a run to end.
/// A load or unload ends the runs before it (ModelUnloaded); a newer load ends a load under way.
/// A paused run is put aside: others go on, and it waits behind them when it is resumed.
/// Scores are read between two tokens of the run under way (it gives the timeline away and takes it back), else at once.
/// Runs that are started together are one piece of work: they are written side by side (SideRuns).
/// Every run ends in exactly one RunEnded, also when the thread closes.
class InferenceLoop {
public:
    InferenceLoop(EventSink& sink, EngineFactory factory, Mailbox<InferenceCommand>& mailbox);

    /// Returns after CloseThread, when every run has ended.
    void serve();

private:
    using Work = std::variant<LoadModel, UnloadModel, StartRun, StartRuns, ResumeRun>;

    void receive(InferenceCommand command);
    void receiveAll();
    void queueRun(StartRun start);
    void queueRuns(StartRuns together);
    bool cancelQueued(const CancelRun& cancel);
    void queueModelChange(Work change);
    void cancelRun(const CancelRun& cancel);
    void pauseRun(RunId runId);
    void queueResumption(ResumeRun resume);
    void cancelLoad();
    void cancelScores(ScoreReadId id);
    void close();

    void perform(const LoadModel& load);
    void perform(const UnloadModel& unload);
    void perform(const StartRun& start);
    void perform(const StartRuns& together);
    void perform(const ResumeRun& resume);
    void serveRun(RunId runId, std::unique_ptr<Generation> generation, const std::function<void(Generation&)>& work);
    bool mayRead() const;
    void serveReads();
    Result<ScoresRead> readRow(const ScoreRequest& request);
    void endReads(const Error& error);
    void endPaused(CancelledBy by);
    void endUnstarted(const StartRun& start, StopReason reason, std::optional<CancelledBy> by,
        std::optional<Error> error);
    void endQueuedRuns(CancelledBy by);
    int queuedRunCount() const;
    int runningCount() const;
    void tellQueue();

    EventSink& m_sink;
    EngineFactory m_factory;
    Mailbox<InferenceCommand>& m_mailbox;

    std::unique_ptr<LoadedModel> m_model;
    std::deque<Work> m_queue; ///< in order of arrival
    std::optional<RunId> m_runningId;
    std::unique_ptr<SideRuns> m_side; ///< while runs are written side by side
    std::optional<CancelledBy> m_cancelRunning;
    bool m_pauseRunning = false;
    std::map<RunId, std::unique_ptr<Generation>> m_paused; ///< put aside, until each is resumed or ended
    std::deque<ScoreRequest> m_reads; ///< scores that are asked for
    std::optional<ScoreReadId> m_readingId;
    std::optional<Error> m_endReading; ///< why the reading under way is to end
    bool m_isLoading = false;
    bool m_cancelLoading = false;
    bool m_isClosing = false;
};

} // namespace engine
