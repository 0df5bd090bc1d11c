#pragma once

#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/sampler_stages.h"
#include "engine/sampling/token_record.h"

#include <optional>
#include <span>
#include <vector>

namespace app {

/// A number of which a record may tell no more than where it lies.
struct Bounds {
    double low = 0;
    double high = 0;

    /// As far as a window shows it: half a tenth of a percent.
    bool isKnown() const { return high - low <= 0.0005; }
    bool operator==(const Bounds&) const = default;
};

/// What the twenty likeliest tokens of a record tell of all scores after penalties and bias.
/// Scores are logits; masses are sums of exp(score - best), as in engine::RestMass.
struct ListedScores {
    /// The best of the vocabulary, descending, without gaps.
    std::vector<engine::TokenScore> certain;
    /// Listed too, but a token that is not may stand between them; and banned ones.
    std::vector<engine::TokenScore> uncertain;
    double ceiling = 0; ///< no token outside `certain` scores more
    Bounds restMass; ///< of all tokens outside `certain`
    double restCount = 0; ///< of them, at most
    double rawRest = 0; ///< probability of the tokens that are not listed, before any stage

    double best() const { return double(certain.front().score); }
};

/// vocabularySize: 0 = unknown. The penalties and the bias are those of the sampler itself.
/// None when the record does not tell raw scores.
std::optional<ListedScores> listedScores(const engine::TokenRecord& record,
    const engine::SamplerSettings& settings, std::span<const engine::TokenId> before,
    int vocabularySize);

} // namespace app
