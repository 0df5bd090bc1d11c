#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// When a draft counts as repeating itself: its last tokens are repeatCount times the same
/// longestPeriod or fewer tokens.
struct RepetitionLimits {
    int longestPeriod = 0;
    int repeatCount = 0;

    static constexpr int kLongestPeriod = 1024;
    static constexpr int kMostRepeats = 100'000;
    bool operator==(const RepetitionLimits&) const = default;
};

/// Error BadRequest: a period below 1 or too long, or fewer than 2 repeats.
Result<void> checkRepetitionLimits(const RepetitionLimits& limits);

/// A period that the last tokens repeat, and how often it stands there in a row.
struct Repetition {
    int period = 0; ///< tokens
    int count = 0;

    bool operator==(const Repetition&) const = default;
};

/// Watches the new tokens of one run for an end of nothing but repeats. A token costs one
/// comparison for each period, however long the draft is.
class RepetitionGuard {
public:
    explicit RepetitionGuard(const RepetitionLimits& limits);

    /// The new tokens so far; called once for each, when it is the last.
    void note(std::span<const TokenId> newTokens);
    /// The period that stands there most often; of those alike, the shortest. None before the
    /// first token.
    std::optional<Repetition> nearest() const;
    bool holds() const { return nearest() && nearest()->count >= m_limits.repeatCount; }
    const RepetitionLimits& limits() const { return m_limits; }

private:
    RepetitionLimits m_limits;
    bool m_hasTokens = false;
    /// [period - 1]: how many last tokens equal the one a period before them.
    std::vector<int> m_equalCounts;
};

} // namespace engine
