#include "engine/session/inference_loop.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace engine {

namespace {
    template <typename... Functions> struct Overloaded : Functions... {
        using Functions::operator()...;
    };
    template <typename... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;
}

InferenceLoop::InferenceLoop(
    EventSink& sink, EngineFactory factory, Mailbox<InferenceCommand>& mailbox)
    : m_sink(sink)
    , m_factory(std::move(factory))
    , m_mailbox(mailbox)
{
}

void InferenceLoop::serve()
{
    while (!m_isClosing) {
        if (m_queue.empty() && m_reads.empty())
            receive(m_mailbox.take());
        receiveAll();
        serveReads();
        if (m_queue.empty())
            continue;
        const Work work = std::move(m_queue.front());
        m_queue.pop_front();
        std::visit([this](const auto& job) { perform(job); }, work);
    }
    m_model.reset(); // on the thread that owns the device
}

void InferenceLoop::receiveAll()
{
    for (InferenceCommand& command : m_mailbox.takeAll())
        receive(std::move(command));
}

void InferenceLoop::receive(InferenceCommand command)
{
    std::visit(Overloaded {
                   [this](LoadModel& load) { queueModelChange(std::move(load)); },
                   [this](UnloadModel& unload) { queueModelChange(unload); },
                   [this](StartRun& start) { queueRun(std::move(start)); },
                   [this](StartRuns& together) { queueRuns(std::move(together)); },
                   [this](CancelRun& cancel) { cancelRun(cancel); },
                   [this](PauseRun& pause) { pauseRun(pause.runId); },
                   [this](ResumeRun& resume) { queueResumption(std::move(resume)); },
                   [this](ReadScores& read) { m_reads.push_back(std::move(read.request)); },
                   [this](CancelScores& cancel) { cancelScores(cancel.id); },
                   [this](CancelModelLoad&) { cancelLoad(); },
                   [this](CloseThread&) { close(); },
               },
        command);
}

void InferenceLoop::queueRun(StartRun start)
{
    if (m_isClosing)
        return endUnstarted(start, StopReason::Cancelled, CancelledBy::Closing, {});
    const int before = queuedRunCount() + runningCount();
    if (before > 0 || m_isLoading)
        m_sink.push(RunQueued { start.request.runId, before });
    m_queue.push_back(std::move(start));
}

void InferenceLoop::queueRuns(StartRuns together)
{
    if (m_isClosing) {
        for (const StartRun& start : together.runs)
            endUnstarted(start, StopReason::Cancelled, CancelledBy::Closing, {});
        return;
    }
    int before = queuedRunCount() + runningCount();
    for (const StartRun& start : together.runs)
        if (before > 0 || m_isLoading)
            m_sink.push(RunQueued { start.request.runId, before++ });
    m_queue.push_back(std::move(together));
}

void InferenceLoop::queueModelChange(Work change)
{
    // The runs asked for so far were meant for the model that goes.
    if (m_runningId && !m_cancelRunning)
        m_cancelRunning = CancelledBy::ModelUnloaded;
    if (m_side)
        m_side->cancelAll(CancelledBy::ModelUnloaded);
    endQueuedRuns(CancelledBy::ModelUnloaded);
    endPaused(CancelledBy::ModelUnloaded);
    endReads(Error::cancelled("The model was closed before the scores were read."));
    cancelLoad();
    m_queue.push_back(std::move(change));
}

void InferenceLoop::cancelRun(const CancelRun& cancel)
{
    if (m_runningId == cancel.runId) {
        if (!m_cancelRunning)
            m_cancelRunning = cancel.by;
        return;
    }
    if (const auto paused = m_paused.find(cancel.runId); paused != m_paused.end()) {
        paused->second->end(cancel.by);
        m_paused.erase(paused);
        return;
    }
    if (m_side && m_side->cancel(cancel.runId, cancel.by))
        return;
    if (cancelQueued(cancel))
        tellQueue();
}

/// False: it has ended already, or never was.
bool InferenceLoop::cancelQueued(const CancelRun& cancel)
{
    const auto isIt = [&](const StartRun& start) { return start.request.runId == cancel.runId; };
    for (auto work = m_queue.begin(); work != m_queue.end(); ++work) {
        if (const auto* start = std::get_if<StartRun>(&*work); start && isIt(*start)) {
            const StartRun cancelled = *start;
            m_queue.erase(work);
            endUnstarted(cancelled, StopReason::Cancelled, cancel.by, {});
            return true;
        }
        auto* together = std::get_if<StartRuns>(&*work);
        if (!together)
            continue;
        const auto one = std::ranges::find_if(together->runs, isIt);
        if (one == together->runs.end())
            continue;
        const StartRun cancelled = *one;
        together->runs.erase(one);
        endUnstarted(cancelled, StopReason::Cancelled, cancel.by, {});
        return true;
    }
    return false;
}

void InferenceLoop::pauseRun(RunId runId)
{
    if (m_runningId == runId)
        m_pauseRunning = true;
    for (Work& work : m_queue) {
        if (auto* start = std::get_if<StartRun>(&work); start && start->request.runId == runId)
            start->request.pace.tokens = 0;
        if (auto* resume = std::get_if<ResumeRun>(&work); resume && resume->runId == runId)
            resume->pace.tokens = 0;
    }
}

void InferenceLoop::queueResumption(ResumeRun resume)
{
    if (!m_paused.contains(resume.runId))
        return; // ended meanwhile, or never was
    const int before = queuedRunCount() + runningCount();
    if (before > 0)
        m_sink.push(RunQueued { resume.runId, before });
    m_queue.push_back(std::move(resume));
}

void InferenceLoop::cancelLoad()
{
    m_cancelLoading = m_isLoading;
    std::deque<Work> rest;
    for (Work& work : m_queue) {
        if (auto* load = std::get_if<LoadModel>(&work))
            m_sink.push(ModelLoadFailed { std::move(load->request),
                Error::cancelled("The model was not opened: cancelled.") });
        else
            rest.push_back(std::move(work));
    }
    m_queue = std::move(rest);
}

void InferenceLoop::close()
{
    m_isClosing = true;
    if (m_runningId && !m_cancelRunning)
        m_cancelRunning = CancelledBy::Closing;
    if (m_side)
        m_side->cancelAll(CancelledBy::Closing);
    endQueuedRuns(CancelledBy::Closing);
    endPaused(CancelledBy::Closing);
    endReads(Error::cancelled("The program is closing."));
    cancelLoad();
}

void InferenceLoop::perform(const LoadModel& load)
{
    perform(UnloadModel {}); // two models at once may not fit
    m_isLoading = true;
    m_cancelLoading = false;
    const ModelLoadControl control {
        .progress = [this](ModelLoadProgress progress) { m_sink.push(std::move(progress)); },
        .cancelled =
            [this] {
                receiveAll();
                return m_cancelLoading;
            },
    };
    Result<std::unique_ptr<LoadedModel>> model = m_factory(load.request, control);
    m_isLoading = false;
    if (!model)
        return m_sink.push(ModelLoadFailed { load.request, std::move(model.error()) });
    m_model = std::move(*model);
    m_sink.push(ModelLoaded { m_model->description(), m_model->text() });
}

void InferenceLoop::perform(const UnloadModel&)
{
    if (!m_model)
        return;
    const std::string path = m_model->description().path;
    m_model.reset();
    m_sink.push(ModelUnloaded { path });
}

void InferenceLoop::perform(const StartRun& start)
{
    if (!m_model)
        return endUnstarted(start, StopReason::Failed, {},
            Error::badRequest("No model is open. Choose a model first."));
    auto generation = std::make_unique<Generation>(start.request,
        generationModel(*m_model, m_model->timeline()),
        GenerationWatch {
            .sink = m_sink,
            .cancelled =
                [this] {
                    receiveAll();
                    return m_cancelRunning;
                },
            .submitted = start.submitted,
            .trace = start.trace,
            .paused = [this] { return m_pauseRunning; },
            .othersWait = [this] { return mayRead(); },
            .serveOthers = [this] { serveReads(); },
        });
    serveRun(start.request.runId, std::move(generation), [](Generation& run) { run.run(); });
}

void InferenceLoop::perform(const StartRuns& together)
{
    if (!m_model) {
        for (const StartRun& start : together.runs)
            endUnstarted(start, StopReason::Failed, {},
                Error::badRequest("No model is open. Choose a model first."));
        return;
    }
    m_side = std::make_unique<SideRuns>(*m_model, together.runs,
        SideRuns::Surroundings { m_sink, [this] { receiveAll(); }, [this] { serveReads(); } });
    tellQueue();
    m_side->run();
    m_side.reset();
}

void InferenceLoop::perform(const ResumeRun& resume)
{
    const auto paused = m_paused.find(resume.runId);
    if (paused == m_paused.end())
        return;
    std::unique_ptr<Generation> generation = std::move(paused->second);
    m_paused.erase(paused);
    serveRun(resume.runId, std::move(generation), [&resume](Generation& run) { run.resume(resume.pace); });
}

/// Until the run ends or pauses.
void InferenceLoop::serveRun(
    RunId runId, std::unique_ptr<Generation> generation, const std::function<void(Generation&)>& work)
{
    m_runningId = runId;
    m_cancelRunning.reset();
    m_pauseRunning = false;
    tellQueue();
    work(*generation);
    m_runningId.reset();
    if (!generation->isPaused())
        m_cancelRunning.reset();
    else if (m_cancelRunning) // asked for while it was being paused
        generation->end(*std::exchange(m_cancelRunning, std::nullopt));
    else
        m_paused.emplace(runId, std::move(generation));
}

void InferenceLoop::cancelScores(ScoreReadId id)
{
    const Error cancelled = Error::cancelled("The scores were not read: cancelled.");
    if (m_readingId == id && !m_endReading)
        m_endReading = cancelled;
    if (std::erase_if(m_reads, [id](const ScoreRequest& request) { return request.id == id; }) > 0)
        m_sink.push(ScoresFailed { id, cancelled });
}

/// What was asked for after a model change is for the model that comes.
bool InferenceLoop::mayRead() const
{
    const auto changesModel = [](const Work& work) {
        return std::holds_alternative<LoadModel>(work) || std::holds_alternative<UnloadModel>(work);
    };
    return !m_reads.empty() && std::ranges::none_of(m_queue, changesModel);
}

/// What is asked for by now; on the timeline of whoever called.
void InferenceLoop::serveReads()
{
    while (mayRead()) {
        const ScoreRequest request = std::move(m_reads.front());
        m_reads.pop_front();
        m_readingId = request.id;
        m_endReading.reset();
        Result<ScoresRead> row = readRow(request);
        m_readingId.reset();
        if (row) {
            m_sink.push(std::move(*row));
        } else if (row.error().code == ErrorCode::Cancelled && !m_endReading) {
            m_reads.push_front(request); // the run that is to end comes first
            return;
        } else {
            m_sink.push(ScoresFailed { request.id, m_endReading.value_or(row.error()) });
        }
    }
}

Result<ScoresRead> InferenceLoop::readRow(const ScoreRequest& request)
{
    if (!m_model)
        return Error::badRequest("No model is open. Load the model that wrote this answer.");
    if (!request.fingerprint.empty() && request.fingerprint != m_model->description().fingerprint)
        return Error::badRequest("Another model is open by now. Load the model that wrote this answer.");
    if (request.prefix.empty())
        return Error::badRequest("No token stands before this place, so the model gives no scores for it.");
    Timeline& timeline = m_model->timeline();
    const SyncControl control {
        .progress = [&](int done, int total,
                        int reused) { m_sink.push(ScoresProgress { request.id, done, total, reused }); },
        .cancelled =
            [this] {
                receiveAll();
                return m_endReading || (m_runningId && m_cancelRunning);
            },
    };
    Result<SyncReport> synced = timeline.sync(request.prefix, control);
    if (!synced) {
        if (synced.error().code == ErrorCode::DeviceLost)
            timeline.dropFrom(0);
        return std::move(synced.error());
    }
    const std::span<const float> logits = timeline.logits();
    if (!std::ranges::all_of(logits, [](float score) { return std::isfinite(score); })) {
        timeline.dropFrom(0);
        return Error::notFinite("The model's scores are not finite numbers.");
    }
    return ScoresRead { request.id, std::make_shared<const std::vector<float>>(logits.begin(), logits.end()),
        synced->reusedTokens, synced->computedTokens };
}

void InferenceLoop::endReads(const Error& error)
{
    if (m_readingId && !m_endReading)
        m_endReading = error;
    for (const ScoreRequest& request : m_reads)
        m_sink.push(ScoresFailed { request.id, error });
    m_reads.clear();
}

void InferenceLoop::endPaused(CancelledBy by)
{
    for (const auto& [runId, generation] : m_paused)
        generation->end(by);
    m_paused.clear();
}

void InferenceLoop::endUnstarted(const StartRun& start, StopReason reason,
    std::optional<CancelledBy> by, std::optional<Error> error)
{
    RunEnded ended { .runId = start.request.runId };
    ended.ledger.reason = reason;
    ended.ledger.cancelledBy = by;
    ended.ledger.error = std::move(error);
    ended.ledger.lengthCap = start.request.lengthCap;
    ended.ledger.entries.push_back({ reason, true, stopReasonInfo(reason).words });
    const auto elapsed = std::chrono::steady_clock::now() - start.submitted;
    ended.timing.endedMs = std::chrono::duration<double, std::milli>(elapsed).count();
    m_sink.push(std::move(ended));
}

void InferenceLoop::endQueuedRuns(CancelledBy by)
{
    std::deque<Work> rest;
    for (Work& work : m_queue) {
        if (const auto* start = std::get_if<StartRun>(&work))
            endUnstarted(*start, StopReason::Cancelled, by, {});
        else if (const auto* together = std::get_if<StartRuns>(&work))
            for (const StartRun& one : together->runs)
                endUnstarted(one, StopReason::Cancelled, by, {});
        else if (!std::holds_alternative<ResumeRun>(work)) // endPaused ends those
            rest.push_back(std::move(work));
    }
    m_queue = std::move(rest);
}

int InferenceLoop::queuedRunCount() const
{
    int count = 0;
    for (const Work& work : m_queue)
        if (const auto* together = std::get_if<StartRuns>(&work))
            count += int(together->runs.size());
        else
            count += std::holds_alternative<StartRun>(work) || std::holds_alternative<ResumeRun>(work);
    return count;
}

int InferenceLoop::runningCount() const
{
    return (m_runningId ? 1 : 0) + (m_side ? m_side->unendedCount() : 0);
}

/// Tells every waiting run its place, when that has changed.
void InferenceLoop::tellQueue()
{
    int before = runningCount();
    const auto tell = [&](RunId runId) { m_sink.push(RunQueued { runId, before++ }); };
    for (const Work& work : m_queue)
        if (const auto* start = std::get_if<StartRun>(&work))
            tell(start->request.runId);
        else if (const auto* resume = std::get_if<ResumeRun>(&work))
            tell(resume->runId);
        else if (const auto* together = std::get_if<StartRuns>(&work))
            for (const StartRun& one : together->runs)
                tell(one.request.runId);
}

} // namespace engine
