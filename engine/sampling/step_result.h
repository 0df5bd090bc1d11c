#pragma once

#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/sampler_stages.h"
#include "engine/sampling/token_record.h"

#include <array>
#include <cstdint>
#include <span>

namespace engine {

/// Candidates that the device keeps of a step: as many as top-k may let through there.
constexpr uint32_t kStepCandidates = 64;

/// What the device tells of a token that it chose: all that a TokenRecord is made from.
/// Words in the order in which choose_token.comp writes them.
struct StepResult {
    static constexpr uint32_t kNotFinite = 1; ///< a score is NaN or infinite; the rest means nothing
    static constexpr uint32_t kDoubtful = 2; ///< too near a border of a stage for sums in f32

    std::array<TokenScore, kTopCandidateCount> top; ///< descending, ties to the lower id
    TokenId id = 0;
    float score = 0; ///< of id
    uint32_t rank = 1; ///< of id; 1 = best
    uint32_t flags = 0;
    uint32_t topCount = 0; ///< entries of top; less than 20 in a tiny vocabulary
    uint32_t afterTopK = 0; ///< candidates that this stage left; 0 when greedy
    uint32_t afterTopP = 0;
    uint32_t afterMinP = 0;
    float mass = 0; ///< of the whole row: sum of exp(d), d = score - best
    float weighted = 0; ///< sum of exp(d) * d
    float endMass = 0; ///< sum of exp(d) of the end ids
    float temperedMass = 0; ///< sum of exp(d / temperature) of what is drawn from; 0 when greedy
    uint32_t position = 0; ///< of the token, in its sequence

    bool isFinite() const { return (flags & kNotFinite) == 0; }
    bool isDoubtful() const { return (flags & kDoubtful) != 0; }
    bool operator==(const StepResult&) const = default;
};
static_assert(sizeof(StepResult) <= 256);

/// Decides a doubtful step as Sampler does, with sums in double. candidates: the kStepCandidates
/// best of the step, or all of a smaller vocabulary. step: of the draw.
void decideDoubtful(StepResult& result, std::span<const TokenScore> candidates,
    const SamplerSettings& settings, uint64_t step);

/// The record of a step whose scores are finite; bytes, position and chunk are the caller's.
TokenRecord recordOf(const StepResult& result, const SamplerSettings& settings, uint64_t step);

} // namespace engine
