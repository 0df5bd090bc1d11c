#pragma once

#include "engine/base/trace_log.h"
#include "engine/session/generation_request.h"
#include "engine/session/model_event.h"
#include "engine/session/score_event.h"
#include "engine/session/stop_reason.h"

#include <chrono>
#include <variant>

namespace engine {

struct LoadModel {
    ModelLoadRequest request;
};
struct CancelModelLoad { };
struct UnloadModel { };
struct StartRun {
    GenerationRequest request;
    std::chrono::steady_clock::time_point submitted;
    TraceLog* trace = nullptr;
};
/// Runs that are written side by side; a whole in the queue.
struct StartRuns {
    std::vector<StartRun> runs;
};
struct CancelRun {
    RunId runId = 0;
    CancelledBy by = CancelledBy::User;
};
/// Of a run that is queued or under way: it pauses before its next choice.
struct PauseRun {
    RunId runId = 0;
};
/// Of a paused run.
struct ResumeRun {
    RunId runId = 0;
    Pace pace;
};
struct ReadScores {
    ScoreRequest request;
};
struct CancelScores {
    ScoreReadId id = 0;
};
struct CloseThread { };

/// What other threads ask of the inference thread.
using InferenceCommand
    = std::variant<LoadModel, CancelModelLoad, UnloadModel, StartRun, StartRuns, CancelRun, PauseRun, ResumeRun, ReadScores,
        CancelScores, CloseThread>;

} // namespace engine
