#pragma once

#include "engine/base/token.h"
#include "engine/sampling/token_record.h"

#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// What makes a run pause by itself, right after the token at which it holds. All off by default.
struct Breakpoints {
    std::string text; ///< bytes; among the new tokens since the run went on, over their borders; "" = off
    std::optional<float> probabilityBelow; ///< raw, of the chosen token
    std::optional<float> entropyAbove; ///< nats, of the raw distribution
    std::optional<float> endProbabilityAbove; ///< raw, summed over the end tokens

    bool operator==(const Breakpoints&) const = default;
};

/// How far a run goes before it pauses.
struct Pace {
    std::optional<int> tokens; ///< this many; 0 = pauses at once; none = until a breakpoint, or its end
    TokenIds forcedIds; ///< taken next, one per step, instead of choices (source Forced)
    Breakpoints breakpoints;

    bool operator==(const Pace&) const = default;
};

/// Why a run pauses.
enum class PauseCause { Asked, StepsDone, Text, Probability, Entropy, EndProbability };

/// The first breakpoint that holds at this token. said: the new tokens' bytes since the run went on, this one's
/// included. What was not observed holds nowhere.
std::optional<PauseCause> breakpointAt(
    const Breakpoints& breakpoints, const TokenRecord& record, std::string_view said);

} // namespace engine
