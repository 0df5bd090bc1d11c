#pragma once

#include "engine/sampling/descending_scores.h"
#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/token_record.h"

#include <span>
#include <vector>

namespace engine {

/// What a banned token scores: less than any that is not banned.
constexpr float kBannedScore = -1e38f;

/// A candidate on its way through the stages.
struct StagedToken {
    TokenId id = 0;
    float score = 0; ///< after penalties and logit bias
    SamplerStage droppedBy = SamplerStage::None;
    double probability = 0; ///< in the draw; 0 when dropped

    bool operator==(const StagedToken&) const = default;
};

/// Weight of the tokens that are not in a list, relative to the best score in it. Counts only
/// where top-k is off; all zero when the list is the whole vocabulary.
struct RestMass {
    double plain = 0; ///< sum of exp(score - best)
    double tempered = 0; ///< sum of exp((score - best) / temperature)
};

/// Whether any penalty can change a score.
bool penaltiesOn(const SamplerSettings& settings);

/// The tokens whose score the penalties, the logit bias or a ban change, with the new score, ascending id.
/// rawScores: [vocabularySize] f32. recentTokens: the sequence so far; its last repeatWindow count.
std::vector<TokenScore> adjustedScores(std::span<const float> rawScores,
    std::span<const TokenId> recentTokens, const SamplerSettings& settings);

/// Runs top-k, top-p, min-p and temperature over a descending list of adjusted scores, which must
/// be the best of its vocabulary without gaps. Banned tokens are dropped by the logit bias. At temperature 0 the
/// first other token gets probability 1 and none else is dropped. Pure: the sampler and the inspector's recomputation share it.
std::vector<StagedToken> applyStages(std::span<const TokenScore> descending,
    const SamplerSettings& settings, const RestMass& rest = {});

/// Index of the token that a uniform number in [0, 1) draws. The list holds one that is not
/// dropped.
size_t drawFrom(std::span<const StagedToken> staged, double uniform);

} // namespace engine
