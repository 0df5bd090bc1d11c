#pragma once

#include "engine/session/generation_event.h"
#include "engine/session/stop_string_matcher.h"

namespace engine {

/// How every stop condition stood when a run ended: all that a ledger is made from.
struct StopConditions {
    std::optional<int> endTokenIndex; ///< of the last end token sampled
    std::optional<float> endProbability; ///< at the last token
    bool ignoresEndTokens = false;
    size_t stopStringCount = 0;
    std::optional<StopStringMatch> stopMatch;
    size_t heldBytes = 0;
    std::string heldFor;
    int tokenCount = 0; ///< new tokens
    int lengthCap = 0;
    int contextUsed = 0;
    int contextLength = 0;
    double elapsedMs = 0;
    std::optional<int> timeCapMs;
    std::optional<RepetitionLimits> repetitionGuard;
    std::optional<Repetition> nearestRepetition; ///< none without a guard or a token
};

/// The ledger of a run that ended for this reason: one entry for each condition a token or the
/// clock can bring about, in the order of precedence, and one for the reason itself when it is
/// another. endTokenId, cancelledBy and error are left to the caller.
Ledger makeLedger(StopReason reason, const StopConditions& conditions);

} // namespace engine
