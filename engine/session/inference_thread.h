#pragma once

#include "engine/session/event_sink.h"

#include <memory>

namespace engine {

/// The thread that owns the model and alone submits to the device. Commands go in as values and
/// are served in order; everything that happens comes out through the sink. Any thread may call.
class InferenceThread {
public:
    /// The sink must outlive this object.
    explicit InferenceThread(EventSink& sink);
    /// Cancels what runs (CancelledBy::Closing) and joins.
    ~InferenceThread();

    /// Loads a model in place of the present one. Ends in ModelLoaded or ModelLoadFailed.
    void load(ModelLoadRequest request);
    /// Stops a load that is under way (ModelLoadFailed with code Cancelled).
    void cancelLoad();
    void unload();
    /// Queues a run. Every request ends in exactly one RunEnded.
    void generate(GenerationRequest request);
    /// Ends a queued or running run. Acts within 250 ms.
    void cancel(RunId runId, CancelledBy by = CancelledBy::User);

private:
    class Loop;
    std::unique_ptr<Loop> m_loop;
};

} // namespace engine
