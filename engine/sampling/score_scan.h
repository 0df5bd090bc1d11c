#pragma once

#include <span>
#include <vector>

namespace engine {

/// The largest score, of all and of each stretch of kScoreBlock scores.
struct ScoreMaxima {
    float best = 0;
    bool finite = true; ///< no NaN and no infinity anywhere
    std::vector<float> blocks; ///< [ceil(scoreCount / kScoreBlock)]
};
constexpr size_t kScoreBlock = 64;

/// Sums over exp(scale * (score - best)), relative to the best score.
struct ScoreMass {
    double mass = 0; ///< sum of weights w = exp(d), d = scale * (score - best)
    double weighted = 0; ///< sum of w * d: entropy is log(mass) - weighted / mass
};

/// scores: [vocabularySize] f32, at least one. Reuses the vector of maxima.
void scanMaxima(std::span<const float> scores, ScoreMaxima& maxima);

/// scores: [vocabularySize] f32, finite. Weights in float, sums of blocks in double: relative error
/// of the mass below 1e-6.
ScoreMass scanMass(std::span<const float> scores, float best, float scale = 1.0f);

/// How many scores come before this one in descending order, ties to the lower index.
int countBefore(std::span<const float> scores, size_t index);

} // namespace engine
