#include "engine/session/repetition_guard.h"

#include <algorithm>

namespace engine {

Result<void> checkRepetitionLimits(const RepetitionLimits& limits)
{
    if (limits.longestPeriod < 1 || limits.longestPeriod > RepetitionLimits::kLongestPeriod)
        return Error::badRequest("the longest period of the repetition guard is "
            + std::to_string(limits.longestPeriod) + "; it must be 1 to "
            + std::to_string(RepetitionLimits::kLongestPeriod));
    if (limits.repeatCount < 2 || limits.repeatCount > RepetitionLimits::kMostRepeats)
        return Error::badRequest("the repeat count of the repetition guard is "
            + std::to_string(limits.repeatCount) + "; it must be 2 to "
            + std::to_string(RepetitionLimits::kMostRepeats));
    return {};
}

RepetitionGuard::RepetitionGuard(const RepetitionLimits& limits)
    : m_limits(limits)
    , m_equalCounts(size_t(std::max(0, limits.longestPeriod)), 0)
{
}

void RepetitionGuard::note(std::span<const TokenId> newTokens)
{
    if (newTokens.empty())
        return;
    m_hasTokens = true;
    for (size_t period = 1; period <= m_equalCounts.size(); ++period) {
        const bool repeats = newTokens.size() > period
            && newTokens[newTokens.size() - 1 - period] == newTokens.back();
        int& equalCount = m_equalCounts[period - 1];
        equalCount = repeats ? equalCount + 1 : 0;
    }
}

std::optional<Repetition> RepetitionGuard::nearest() const
{
    if (!m_hasTokens)
        return std::nullopt;
    Repetition best;
    for (int period = 1; period <= int(m_equalCounts.size()); ++period) {
        // The first time stands there too: it has nothing to equal.
        const int count = 1 + m_equalCounts[size_t(period - 1)] / period;
        if (count > best.count)
            best = { period, count };
    }
    return best;
}

} // namespace engine
