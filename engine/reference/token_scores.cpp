#include "engine/reference/token_scores.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace engine {

TokenId argmaxOf(std::span<const float> logits)
{
    return TokenId(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

double logprobOf(std::span<const float> logits, TokenId token)
{
    const double largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(double(logit) - largest);
    return double(logits[size_t(token)]) - largest - std::log(sum);
}

TokenScores tokenScores(const TokenIds& tokens, const Matrix& logits)
{
    assert(logits.rows == tokens.size() && logits.rows > 0);
    TokenScores scores;
    for (size_t t = 0; t < logits.rows; ++t)
        scores.argmax.push_back(argmaxOf(logits.row(t)));
    for (size_t t = 0; t + 1 < logits.rows; ++t)
        scores.logprobOfNext.push_back(logprobOf(logits.row(t), tokens[t + 1]));
    const auto last = logits.row(logits.rows - 1);
    scores.lastLogits.assign(last.begin(), last.end());
    return scores;
}

} // namespace engine
