#pragma once

#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/token_record.h"

#include <vector>

namespace app {

/// What was observed of an answer's first tokens on the branch that a fork took them from: a value,
/// so that it stays when that branch is deleted. They are no new tokens of the fork's run.
struct KeptTokens {
    /// Chose the tokens from this one on.
    struct Run {
        int firstToken = 0;
        engine::SamplerSettings sampling;
        engine::TokenIds bannedFirstIds; ///< that could not be its first token

        bool operator==(const Run&) const = default;
    };

    std::vector<engine::TokenRecord> records; ///< one for each, from the answer's start; may be none
    /// In order. Of tokens before the first one nothing was observed: a person began the answer.
    std::vector<Run> runs;

    /// Null where no run chose it, or which one did is not known.
    const Run* runOf(int token) const;
    bool operator==(const KeptTokens&) const = default;
};

} // namespace app
