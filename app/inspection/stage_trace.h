#pragma once

#include "app/inspection/listed_scores.h"
#include "app/inspection/token_track.h"

#include <array>

namespace app {

/// The stages of which a trace tells what they left, in the order in which they run. The sampler
/// ends with the draw.
inline constexpr std::array kTracedStages { engine::SamplerStage::LogitBias,
    engine::SamplerStage::TopK, engine::SamplerStage::TopP, engine::SamplerStage::MinP,
    engine::SamplerStage::Temperature };

/// A step whose record says what else could have been chosen, and what the choice depended on.
/// Valid as long as the record.
struct TracedStep {
    const engine::TokenRecord& record;
    engine::TokenIds before; ///< every id that the model had read
    uint64_t drawStep = 0; ///< with the seed it fixes the draw
    int vocabularySize = 0; ///< 0 = unknown
    engine::TokenIds bannedIds {}; ///< in this step only
};
/// None where nothing was observed: the prompt, an opening, runs that were not inspected.
std::optional<TracedStep> tracedStep(const TokenTrack& track, int token);

/// One of the likeliest tokens on its way through the stages.
struct TracedCandidate {
    engine::TokenId id = 0;
    double rawProbability = 0; ///< before any stage
    double score = 0; ///< a logit, after penalties and bias
    /// Probability among what each of kTracedStages left, LogitBias standing for penalties and
    /// bias; the last is that in the draw. Empty at temperature 0, but for the first and the last.
    std::array<std::optional<Bounds>, kTracedStages.size()> after;
    std::optional<engine::SamplerStage> droppedBy; ///< none: the record does not tell

    const std::optional<Bounds>& final() const { return after.back(); }
};

/// What each stage of the sampler did in one step.
struct StageTrace {
    std::vector<TracedCandidate> candidates; ///< by score, descending: the order of the draw
    double restRaw = 0; ///< raw probability of the tokens that are not among the candidates
    std::array<std::optional<Bounds>, kTracedStages.size()> restAfter; ///< theirs, after each stage
    bool isGreedy = false; ///< temperature 0: no draw
    std::optional<double> draw; ///< the uniform number in [0, 1)
    std::optional<size_t> drawn; ///< the candidate it falls on; none: not known

    size_t certainCount = 0; ///< candidates before which no token stands that is not listed

    /// The start and the end of a candidate's stretch of [0, 1) on the bar that the draw falls on.
    Bounds before(size_t candidate, size_t stage = kTracedStages.size() - 1) const;
    Bounds cumulative(size_t candidate, size_t stage = kTracedStages.size() - 1) const;
    /// How many of the candidates a stage left for certain, and at most.
    size_t keptCount(size_t stage) const;
    size_t mostKeptCount(size_t stage) const;
    const TracedCandidate* find(engine::TokenId id) const;
};

/// Runs the sampler's own stages over the step again. Where twenty tokens are too few to say what
/// a stage did (top-k off or above 20, penalties that let others in) values are bounds that hold.
StageTrace traceStages(const TracedStep& step, const engine::SamplerSettings& settings);
/// The same with the settings of the run itself: what was observed at the draw is taken as it was.
StageTrace traceAsRecorded(const TracedStep& step, const engine::SamplerSettings& settings);

} // namespace app
