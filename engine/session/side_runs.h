#pragma once

#include "engine/session/generation.h"
#include "engine/session/inference_command.h"
#include "engine/session/loaded_model.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace engine {

/// Runs that one model writes side by side, a token of each in every pass. Where the model cannot,
/// they run one after the other; the ids are the same. A run for which the cache has no room waits
/// until another has ended. Inference thread only.
class SideRuns {
public:
    /// What surrounds them on the inference thread.
    struct Surroundings {
        EventSink& sink;
        std::function<void()> receive; ///< takes what was asked meanwhile; it may call cancel
        std::function<void()> serveOthers; ///< between two passes: the model's own timeline is free
    };
    SideRuns(LoadedModel& model, std::vector<StartRun> starts, Surroundings surroundings);

    /// Until each has ended in its RunEnded.
    void run();
    /// False when it is none of these, or has ended.
    bool cancel(RunId runId, CancelledBy by);
    void cancelAll(CancelledBy by);
    int unendedCount() const;

private:
    struct Member {
        StartRun start;
        std::optional<CancelledBy> cancelled;
        std::unique_ptr<Generation> generation; ///< once it has begun
        int sequence = -1; ///< of the model's; -1: waits
        bool hasEnded = false;
    };

    void makeGeneration(Member& member, Timeline& timeline);
    void runAlone(Member& member);
    void admit();
    void takeStep(Member& member, Generation::Step step);
    void putAside(Member& member);
    void endWaiting(Member& member);
    bool isAlone(const Member& member) const;
    void pass();

    LoadedModel& m_model;
    SideBySide* m_side;
    Surroundings m_surroundings;
    std::vector<Member> m_members;
    std::vector<int> m_freeSequences;
    bool m_isFull = false; ///< the cache; nobody is admitted until one ends
};

} // namespace engine
