#pragma once

#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/token_record.h"

#include <span>
#include <vector>

namespace tests {

/// A distribution worked out the slow way, in double precision, over the whole vocabulary.
struct PlainDistribution {
    std::vector<double> rawLogprobs; ///< [vocabularySize]
    std::vector<double> adjusted; ///< [vocabularySize] scores after penalties and bias
    std::vector<engine::TokenId> order; ///< by adjusted score, descending, ties to the lower id
    std::vector<engine::SamplerStage> droppedBy; ///< [vocabularySize]
    std::vector<double> probability; ///< [vocabularySize], in the draw
    double entropy = 0;
};

/// The right values of the sampler's tests. Temperature above zero.
PlainDistribution plainDistribution(std::span<const float> logits,
    std::span<const engine::TokenId> recentTokens, const engine::SamplerSettings& settings);

/// The token a uniform number falls on, walking down the order.
engine::TokenId plainDraw(const PlainDistribution& distribution, double uniform);

} // namespace tests
