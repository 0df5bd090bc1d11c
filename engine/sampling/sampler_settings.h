#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// Added to the raw log-probability of one token.
struct LogitBias {
    TokenId id = 0;
    float bias = 0;

    bool operator==(const LogitBias&) const = default;
};

/// How a token is chosen, in the order the stages run: penalties, logit bias, top-k, top-p, min-p,
/// temperature, draw. Defaults are those of the window.
struct SamplerSettings {
    float repeatPenalty = 1.0f; ///< 1 = off; divides positive, multiplies negative logits
    int repeatWindow = 64; ///< last tokens of prompt and answer that count; 0 = none
    float presencePenalty = 0;
    float frequencyPenalty = 0;
    std::vector<LogitBias> logitBias;
    TokenIds bannedIds; ///< never taken: a logit bias of minus infinity
    int topK = 40; ///< 0 = off
    float topP = 0.95f; ///< 1 = off
    float minP = 0.05f; ///< 0 = off
    float temperature = 0.8f; ///< 0 = greedy: argmax, ties to the lower id, no draw
    uint64_t seed
        = 0; ///< always a definite number; a random one is drawn by the caller and recorded

    bool operator==(const SamplerSettings&) const = default;
};

/// Error BadRequest naming the setting and its range.
Result<void> checkSamplerSettings(const SamplerSettings& settings);

} // namespace engine
