#pragma once

#include "app/compare/compared_run.h"
#include "engine/session/stop_ledger.h"

namespace app {

/// The stop settings of a run that a person may wish had been others.
struct StopWish {
    int lengthCap = 0; ///< new tokens
    std::vector<std::string> stopStrings;
    bool ignoreEndTokens = false;

    bool operator==(const StopWish&) const = default;
};
/// As the run had them. run.request must be there.
StopWish stopWishOf(const ComparedRun& run);

/// Where a run's own tokens would have ended it.
struct StopOutcome {
    /// None: after its last token it would have gone on, to where nobody knows.
    std::optional<engine::StopReason> reason;
    int tokenCount = 0; ///< new tokens up to there, the deciding one included
    std::string text; ///< as it would have been shown
    std::string heldText; ///< that was still held back when it would have gone on
    /// How every condition would have stood; without the clock's.
    engine::Ledger ledger;

    engine::Verdict verdict() const;
    bool operator==(const StopOutcome&) const = default;
};

/// Nothing is generated: a run's tokens do not depend on what stops it, so up to its last token the
/// outcome is that of a real run. What ended it without a token (a cancel, a time cap, a failure)
/// ends it there again, unless the wish does earlier.
/// None: the record does not tell the settings or the ids that this needs.
std::optional<StopOutcome> whatIfStops(const ComparedRun& run, const StopWish& wish);

} // namespace app
