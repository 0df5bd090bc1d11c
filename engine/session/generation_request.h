#pragma once

#include "engine/base/token.h"
#include "engine/sampling/sampler_settings.h"
#include "engine/session/pace.h"
#include "engine/session/repetition_guard.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Identifies a run within one process.
using RunId = uint64_t;

/// One generation to be done: a value, complete in itself.
struct GenerationRequest {
    RunId runId = 0;
    /// Everything before the first new token: the formatted prompt, and for Continue the draft's
    /// ids.
    TokenIds promptIds;
    /// How many ids at the end of promptIds are the draft that is being continued.
    int draftTokenCount = 0;
    SamplerSettings sampling;
    std::vector<std::string> stopStrings; ///< byte strings; match in generated text only
    int lengthCap = 1024; ///< new tokens of this run, the end token included
    bool ignoreEndTokens = false;
    std::optional<int> timeCapMs;
    std::optional<RepetitionLimits>
        repetitionGuard; ///< looks at the new tokens of this run; none = off
    /// Tokens to take instead of sampling, one per step from the first (source Forced); then
    /// sampling goes on.
    TokenIds forcedIds;
    /// Not to be taken as the first new token, but later.
    TokenIds bannedFirstIds;
    /// Where the run pauses; by default nowhere.
    Pace pace;
    /// False: the prompt is computed anew, whatever the KV cache has of it.
    bool reusesCache = true;
    /// Whether each token's record says what else it could have been (rank, entropy, top 20).
    bool isInspected = true;
    /// Whether tokens may be chosen on the device, a pass ahead of what the host knows. The ids are
    /// the same either way.
    bool overlaps = true;

    bool operator==(const GenerationRequest&) const = default;
};

} // namespace engine
