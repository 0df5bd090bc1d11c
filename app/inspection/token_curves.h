#pragma once

#include "app/inspection/token_numbers.h"

#include <span>

namespace app {

/// Numbers of an answer's tokens in rows, as curves need them: from the first token after the
/// prompt, NaN where nothing was observed. It follows a growing track at the same cost a token.
class TokenCurves {
public:
    static constexpr std::array kNumbers { TokenNumber::Surprisal, TokenNumber::Entropy,
        TokenNumber::EndProbability };

    /// The greatest value of a curve and the token in the track that has it first.
    struct Peak {
        int token = 0;
        float value = 0;
    };

    /// Takes over what the track got since the last call. restarts: earlier tokens changed too.
    void follow(const TokenTrack& track, bool restarts);
    void clear();

    /// Index into the track of values()[0].
    int firstToken() const { return m_firstToken; }
    int tokenCount() const { return int(m_values[0].size()); }
    std::span<const float> values(size_t curve) const { return m_values[curve]; }
    /// None where nothing was observed at all.
    std::optional<Peak> peak(size_t curve) const { return m_peaks[curve]; }

private:
    int m_firstToken = 0;
    std::array<std::vector<float>, kNumbers.size()> m_values;
    std::array<std::optional<Peak>, kNumbers.size()> m_peaks;
};

} // namespace app
