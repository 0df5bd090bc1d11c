#pragma once

#include "app/conversation/draft.h"

#include <optional>
#include <vector>

namespace app {

/// What a run was doing. Template, Tokenise and Saving (its message, on the disk) come before the
/// engine gets it. Before: not told apart yet, the engine tells queue and prefill at the end.
enum class RunPhase { Template, Tokenise, Saving, Before, Queue, Prefill, Writing, Pause };

/// Milliseconds since the run was given to the engine, as all moments here: below zero before that.
struct TimelinePhase {
    RunPhase kind = RunPhase::Before;
    double startMs = 0;
    double endMs = 0;

    bool operator==(const TimelinePhase&) const = default;
};

/// When something of the answer could first, or last, be seen anew.
enum class RunMoment { FirstText, FirstPaint, LastPaint };

struct TimelineMoment {
    RunMoment kind = RunMoment::FirstText;
    double ms = 0;

    bool operator==(const TimelineMoment&) const = default;
};

/// The way of one new token from the engine to the window; what was not observed is empty.
struct TokenStep {
    std::optional<double> decidedMs;
    std::optional<double> arrivedMs;
    std::optional<double> stepMs; ///< since the token before it was decided; none for the first
    std::optional<double> deliveryMs; ///< decided to arrived
    bool hasPause = false; ///< the run waited for a person in this step
    bool isStall = false;

    bool operator==(const TokenStep&) const = default;
};

/// A pass of the run and where its result went.
struct TimelinePass {
    engine::RunPass pass;
    int token = -1; ///< among the new tokens, chosen from its scores; -1: none was
    /// That token in the window; for a pass without one there is nothing to see.
    std::optional<double> arrivedMs;

    /// For the picture: a pass that nobody waited for has no length.
    double endMs() const { return pass.startMs + pass.hostMs.value_or(0); }
    bool operator==(const TimelinePass&) const = default;
};

/// The one table of what counts as a stall: a step without a pause that is longer than both.
struct StallLimits {
    double medianFactor = 4; ///< times the run's median step
    double leastMs = 50; ///< a person does not see less
};
constexpr StallLimits kStallLimits;

/// When a run did what.
struct RunTimeline {
    /// In the order of time; pauses lie in the phase they interrupt and come after it.
    std::vector<TimelinePhase> phases;
    std::vector<TimelineMoment> moments; ///< in the order of their kinds, those that were observed
    std::vector<TokenStep> steps; ///< [new tokens]
    /// In the order of their starts; empty: not observed.
    std::vector<TimelinePass> passes;
    PromptTimes prompt;
    /// The finished prompt until the engine got the run: its message was written to the disk.
    std::optional<double> savingMs;
    double startMs = 0; ///< the first moment that is known
    double endMs = 0; ///< the last one
    int stallCount = 0;
    /// False: pauses were not kept, so a stall may be one.
    bool hasPauses = false;
    std::optional<double> medianStepMs; ///< of the steps without a pause
    std::optional<double> medianDeliveryMs;
    std::optional<double> slowDeliveryMs; ///< the 99th percentile
    std::optional<double> firstPaintDelayMs; ///< the first token decided to the first paint

    /// All time in phases of this kind; none where there is none.
    std::optional<double> phaseMs(RunPhase kind) const;
    /// The most other sequences that a pass shared its batch with; none without passes.
    std::optional<int> batchMates() const;
    /// The pass whose scores gave this token; -1: not observed.
    int passOf(int token) const;
    bool operator==(const RunTimeline&) const = default;
};

RunTimeline runTimeline(const Draft& draft);

/// The value that this share of all is at most (nearest rank); none of nothing.
std::optional<double> percentile(std::vector<double> values, double share);

} // namespace app
