#include "app/inspection/token_curves.h"

#include <limits>

namespace app {

void TokenCurves::follow(const TokenTrack& track, bool restarts)
{
    const int count = int(track.tokens().size());
    if (restarts || m_firstToken != track.promptCount() || m_firstToken + tokenCount() > count)
        clear();
    m_firstToken = track.promptCount();
    for (int token = m_firstToken + tokenCount(); token < count; ++token)
        for (size_t curve = 0; curve < kNumbers.size(); ++curve) {
            const std::optional<double> value = tokenNumber(track.record(token), kNumbers[curve]);
            m_values[curve].push_back(
                value ? float(*value) : std::numeric_limits<float>::quiet_NaN());
            std::optional<Peak>& peak = m_peaks[curve];
            if (value && (!peak || float(*value) > peak->value))
                peak = Peak { token, float(*value) };
        }
}

void TokenCurves::clear()
{
    m_values = {};
    m_peaks = {};
}

} // namespace app
