#pragma once

#include "app/inspection/listed_scores.h"

namespace app {

/// The stages up to one of them over the tokens whose order is certain, run twice: with the least
/// and with the most that all other tokens can weigh.
struct StageBounds {
    std::vector<engine::StagedToken> least;
    std::vector<engine::StagedToken> most;
    std::vector<Bounds> probabilities; ///< of the same tokens, for every weight between the two
    bool mayKeepRest = false;
    bool isCutByTopK = false; ///< everything that is not certain is behind the k-th

    /// What the certain tokens have together in the draw, at least.
    double leastKept() const;
};

/// The settings with every stage off that comes after this one.
engine::SamplerSettings settingsUpTo(engine::SamplerStage stage, engine::SamplerSettings settings);

/// listed: with at least one certain token. all: with a temperature above 0, unless the stage comes
/// before it.
StageBounds stageBounds(
    engine::SamplerStage stage, const ListedScores& listed, const engine::SamplerSettings& all);

/// Of a listed token that others may stand before. settings: those up to the stage.
Bounds uncertainBounds(const engine::TokenScore& token, const StageBounds& pair,
    const ListedScores& listed, const engine::SamplerSettings& settings);
/// The stage that dropped all tokens which are not certain; none: not known.
std::optional<engine::SamplerStage> uncertainStage(
    const StageBounds& pair, const engine::SamplerSettings& settings);

} // namespace app
