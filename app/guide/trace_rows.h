#pragma once

#include "app/conversation/draft.h"
#include "app/guide/guided_trace.h"

namespace app {

/// A pass as a screen shows it, of a script or of a real run. What was not observed is empty.
struct TraceRow {
    std::string input; ///< everything the model has at this step
    int computedCount = 0; ///< positions
    std::optional<int> cacheAfter;
    std::string selected; ///< "" = nothing yet
    std::optional<double> hostMs;
    bool isEnd = false; ///< the selected token ended the run and is no text

    bool operator==(const TraceRow&) const = default;
};

std::vector<TraceRow> traceRows(const GuidedTrace& trace);
/// The passes of a real run as far as they were noted: prefill passes (one a chunk; a token is
/// selected by the last), then one a token. Tokens of which no pass was noted are left out.
std::vector<TraceRow> traceRows(const Draft& draft);

/// "6 new tokens = 1 prefill + 5 decode passes", counted from the passes that were noted; "" before
/// there is a token.
std::string passSum(const Draft& draft);

/// Positions computed, and how many they were had every pass computed its whole input again.
struct PositionSum {
    int withCache = 0;
    int withoutCache = 0;
    int fromBefore = 0; ///< in the cache before the first pass: another run's

    bool operator==(const PositionSum&) const = default;
};
PositionSum positionSum(const std::vector<TraceRow>& rows);

} // namespace app
