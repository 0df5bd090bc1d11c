#pragma once

#include "engine/session/event_sink.h"
#include "engine/session/generation_request.h"
#include "engine/session/loaded_model.h"
#include "engine/session/model_event.h"

#include <functional>
#include <memory>
#include <vector>

namespace app {

/// What the window needs from an engine: a seam, so that window tests can script the events.
/// All calls return at once; what happens comes out through the sink given at creation.
class EngineBackend {
public:
    virtual ~EngineBackend() = default;
    virtual void load(engine::ModelLoadRequest request) = 0;
    virtual void cancelLoad() = 0;
    virtual void unload() = 0;
    virtual void generate(engine::GenerationRequest request) = 0;
    /// As InferenceThread::generateTogether.
    virtual void generateTogether(std::vector<engine::GenerationRequest> requests) = 0;
    virtual void cancel(engine::RunId runId, engine::CancelledBy by) = 0;
    virtual void pause(engine::RunId runId) = 0;
    virtual void resume(engine::RunId runId, engine::Pace pace) = 0;
    virtual void readScores(engine::ScoreRequest request) = 0;
    virtual void cancelScores(engine::ScoreReadId id) = 0;
};

using EngineBackendFactory = std::function<std::unique_ptr<EngineBackend>(engine::EventSink&)>;

/// The real one: an inference thread that opens models with this factory.
EngineBackendFactory threadBackend(engine::EngineFactory openModel);

} // namespace app
