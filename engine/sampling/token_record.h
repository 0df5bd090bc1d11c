#pragma once

#include "engine/base/token.h"

#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Where a token of an answer came from.
enum class TokenSource { Sampled, Forced, Typed, Supplied, Edited };
/// "sampled", ... : the JSON name.
const char* tokenSourceName(TokenSource source);

/// The stage that removed a candidate from the draw.
enum class SamplerStage { None, Penalties, LogitBias, TopK, TopP, MinP, Temperature, Draw };
/// "top_k", ... : the JSON name.
const char* samplerStageName(SamplerStage stage);

/// One of the likeliest tokens at a position.
struct Candidate {
    TokenId id = 0;
    float logprob = 0; ///< raw, before any stage, in nats
    std::optional<float>
        finalProbability; ///< after all stages; none at temperature 0 or when dropped
    SamplerStage droppedBy = SamplerStage::None;

    bool operator==(const Candidate&) const = default;
};

/// Everything observed when one token was chosen. What was not observed is empty.
struct TokenRecord {
    TokenId id = 0;
    std::string bytes; ///< the piece; "" for control tokens
    TokenSource source = TokenSource::Sampled;
    int position = 0; ///< in the sequence, prompt included
    std::optional<float> logprob; ///< raw, nats
    std::optional<float> logSumExp; ///< of the raw logits: a raw logit is logprob + logSumExp
    std::optional<int> rank; ///< 1 = likeliest by raw log-probability
    std::optional<float> entropy; ///< of the raw distribution, nats
    std::optional<float> endProbability; ///< raw, summed over the end ids
    std::vector<Candidate>
        top; ///< the 20 likeliest, descending; the chosen token always among them
    std::optional<double> draw; ///< the uniform number in [0, 1); none when greedy or forced
    std::optional<double> decidedMs; ///< since the run was submitted
    std::optional<double> arrivedMs; ///< likewise, at the window; none on the command line
    int chunk = 0; ///< which delivery to the window carried it

    bool operator==(const TokenRecord&) const = default;
};

constexpr int kTopCandidateCount = 20;

} // namespace engine
