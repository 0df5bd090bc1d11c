#pragma once

#include "engine/base/mailbox.h"
#include "engine/session/event_sink.h"
#include "engine/session/inference_command.h"
#include "engine/session/loaded_model.h"

#include <thread>

namespace engine {

/// The thread that owns the model and alone submits to the device. Commands go in as values and
/// are served in order; everything that happens comes out through the sink. Any thread may call.
class InferenceThread {
public:
    /// The sink must outlive this object. factory: opens models, on the new thread.
    InferenceThread(EventSink& sink, EngineFactory factory);
    /// Cancels what runs (CancelledBy::Closing) and joins.
    ~InferenceThread();
    InferenceThread(const InferenceThread&) = delete;
    InferenceThread& operator=(const InferenceThread&) = delete;

    /// Loads a model in place of the present one; the runs asked for before it end (ModelUnloaded).
    /// Ends in ModelLoaded or ModelLoadFailed; a newer load ends an older one.
    void load(ModelLoadRequest request);
    /// Stops a load that waits or is under way (ModelLoadFailed with code Cancelled).
    void cancelLoad();
    /// Closes the model; the runs asked for before it end (ModelUnloaded).
    void unload();
    /// Queues a run. Every request ends in exactly one RunEnded. trace: gets the run's spans, and is
    /// the caller's again with RunEnded.
    void generate(GenerationRequest request, TraceLog* trace = nullptr);
    /// Queues runs to be written side by side: a token of each in every pass. The ids are those of
    /// the same runs one after the other.
    void generateTogether(std::vector<GenerationRequest> requests);
    /// Ends a queued or running run. Acts within 250 ms.
    void cancel(RunId runId, CancelledBy by = CancelledBy::User);
    /// The run pauses before its next choice (RunPaused); others may be served meanwhile.
    void pause(RunId runId);
    /// Lets a paused run go on (RunResumed), after those that wait.
    void resume(RunId runId, Pace pace);
    /// Reads the whole row of raw scores after a prefix, between the tokens of the runs: ends in ScoresRead or
    /// ScoresFailed, once. A run under way goes on as if nothing had been asked.
    void readScores(ScoreRequest request);
    /// ScoresFailed with code Cancelled, unless it ended before.
    void cancelScores(ScoreReadId id);

private:
    Mailbox<InferenceCommand> m_mailbox;
    std::thread m_thread;
};

} // namespace engine
