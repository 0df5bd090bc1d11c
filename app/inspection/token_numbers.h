#pragma once

#include "app/inspection/token_track.h"

#include <array>

namespace app {

/// A value by which tokens are coloured, plotted and searched.
enum class TokenNumber {
    Probability, ///< raw, of the chosen token
    Surprisal, ///< its negative log, nats
    Entropy, ///< of the raw distribution, nats
    Rank, ///< of the chosen token; 1 = likeliest
    EndProbability, ///< raw, of all end tokens together
    TopGap, ///< raw probability of the likeliest less that of the second
};

/// Empty where it was not observed. record: may be null.
std::optional<double> tokenNumber(const engine::TokenRecord* record, TokenNumber number);
double bitsOf(double nats);

/// Why somebody would look at a token.
enum class Interest { Any, HighEntropy, NearTie, NearStop, LowRank, LoneByte };

/// From which value on a token is of interest. LoneByte has no number: a token whose bytes are not
/// whole characters. Any: whatever one of the others finds.
struct InterestRule {
    Interest kind = Interest::Any;
    TokenNumber number = TokenNumber::Entropy;
    double threshold = 0;
    bool isAtLeast = true; ///< false: at most
};
inline constexpr std::array kInterestRules {
    InterestRule { Interest::HighEntropy, TokenNumber::Entropy, 2.0 }, // as between 7 equal tokens
    InterestRule { Interest::NearTie, TokenNumber::TopGap, 0.05, false },
    InterestRule { Interest::NearStop, TokenNumber::EndProbability, 0.1 }, // and it went on
    InterestRule { Interest::LowRank, TokenNumber::Rank, 2 },
};

bool isInteresting(const TokenTrack& track, int token, Interest kind);
/// The nearest such token after (direction 1) or before (-1) `from`; none when there is none.
std::optional<int> nextInteresting(const TokenTrack& track, int from, Interest kind, int direction);

} // namespace app
