#include "engine/session/pace.h"

#include <algorithm>
#include <cmath>

namespace engine {

std::optional<PauseCause> breakpointAt(
    const Breakpoints& breakpoints, const TokenRecord& record, std::string_view said)
{
    if (!breakpoints.text.empty()) {
        // It holds where it ends: in the bytes of this token.
        const size_t before = said.size() - std::min(said.size(), record.bytes.size());
        const size_t start = before - std::min(before, breakpoints.text.size() - 1);
        if (said.substr(start).find(breakpoints.text) != std::string_view::npos)
            return PauseCause::Text;
    }
    if (breakpoints.probabilityBelow && record.logprob && std::exp(*record.logprob) < *breakpoints.probabilityBelow)
        return PauseCause::Probability;
    if (breakpoints.entropyAbove && record.entropy && *record.entropy > *breakpoints.entropyAbove)
        return PauseCause::Entropy;
    if (breakpoints.endProbabilityAbove && record.endProbability
        && *record.endProbability > *breakpoints.endProbabilityAbove)
        return PauseCause::EndProbability;
    return std::nullopt;
}

} // namespace engine
