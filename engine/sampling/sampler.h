#pragma once

#include "engine/base/result.h"
#include "engine/sampling/descending_scores.h"
#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/sampler_stages.h"
#include "engine/sampling/token_record.h"

#include <optional>
#include <span>
#include <vector>

namespace engine {

/// What one choice depends on.
struct SamplingStep {
    std::span<const float> logits; ///< raw, [vocabularySize] f32
    std::span<const TokenId> recentTokens; ///< the sequence so far, prompt included
    uint64_t step = 0; ///< counts the tokens of the answer: with the seed it fixes the draw
    std::optional<TokenId> forcedId; ///< take this one; it is recorded as if it had been met
    bool isInspected = true; ///< false: the record holds nothing but the choice and its draw
    std::span<const TokenId> bannedIds {}; ///< not to be taken in this step, beside those of the settings
};

/// Chooses tokens by the stages of DESIGN.md section 4 and records what was observed. The record's
/// bytes, position and chunk are the caller's to fill in.
/// Errors: NotFinite when any logit is NaN or infinite; BadRequest for a forced id out of range, and where every
/// token is banned.
/// One thread at a time.
class Sampler {
public:
    /// settings: checked by checkSamplerSettings. endTokenIds: summed up in endProbability.
    Sampler(SamplerSettings settings, TokenIds endTokenIds);

    Result<TokenRecord> choose(const SamplingStep& step);

private:
    /// The stages over as many of the best tokens as they need to be certain.
    std::vector<StagedToken> stagedTokens(double rawMass, double uniform);
    void adjust(const SamplingStep& step);
    void describeRaw(const SamplingStep& step, const ScoreMass& mass, TokenRecord& record);
    void describeStages(std::span<const StagedToken> staged, TokenRecord& record);

    SamplerSettings m_settings;
    TokenIds m_endTokenIds;

    ScoreMaxima m_rawMaxima;
    DescendingScores m_rawOrder;
    /// After penalties and bias; views of the raw ones when these change nothing.
    std::vector<float> m_adjustedScores;
    ScoreMaxima m_adjustedMaxima;
    DescendingScores m_adjustedOrder;
    std::span<const float> m_scores;
    float m_best = 0;
    bool m_isAdjusted = false;
    double m_temperedMass = 0; ///< of the whole vocabulary; 0 = not needed
};

} // namespace engine
