#pragma once

#include "app/compare/compared_run.h"
#include "app/compare/sampler_fields.h"

namespace app {

/// What made two runs part.
enum class PartingCause {
    Prompt, ///< they were given other tokens
    PutIn, ///< a token of one of them was forced, typed or edited
    Scores, ///< the same tokens before it, and other scores: another model, file or device
    Ban, ///< a token that only one of them could not have here
    Setting, ///< one setting of the sampler, tried by itself
    Settings, ///< several together, bans among them; none by itself
    Draw, ///< the same distribution, and another random number: the seed, or where the draw stands
    End, ///< one of them ended here
    Unexplained, ///< everything that was recorded was tried, and nothing makes the other token
    Unknown, ///< what would tell was not recorded
};
/// "prompt", ...: for JSON and tests.
const char* partingCauseName(PartingCause cause);

/// Where two runs part, and what made it.
struct RunDifference {
    size_t token = 0; ///< the first new token that differs; the common ones are before it
    PartingCause cause = PartingCause::Unknown;
    std::optional<size_t> promptToken; ///< Prompt: the first that differs
    /// Setting, Settings: of the sampler. Draw: the seed, when it is what differs.
    std::vector<const SamplerField*> fields;
    /// End: which stop settings make the longer one end here too ("length_cap", "stop_strings",
    /// "ignore_end_tokens"), each by itself; empty: no token did it.
    std::vector<std::string> stopSettings;
    bool isFirstShorter = false; ///< End: which of the two

    bool operator==(const RunDifference&) const = default;
};

/// Tokens are the same when their ids are, or their bytes where the files differ.
bool isSameToken(const ComparedRun& a, const ComparedRun& b, size_t token);
/// How many new tokens two runs have in common from the start.
size_t commonTokens(const ComparedRun& a, const ComparedRun& b);

/// None: the same tokens, to the end. A cause is tried before it is told: a setting or a ban of b is
/// put into a's step, and the sampler's own stages choose again.
std::optional<RunDifference> differenceOf(const ComparedRun& a, const ComparedRun& b);

} // namespace app
