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

void addScores(
    TokenScores& scores, const TokenIds& tokens, size_t firstPosition, const Matrix& logits)
{
    for (size_t row = 0; row < logits.rows; ++row) {
        const size_t position = firstPosition + row;
        scores.argmax.push_back(argmaxOf(logits.row(row)));
        if (position + 1 < tokens.size())
            scores.logprobOfNext.push_back(logprobOf(logits.row(row), tokens[position + 1]));
        else
            scores.lastLogits.assign(logits.row(row).begin(), logits.row(row).end());
    }
}

TokenScores tokenScores(const TokenIds& tokens, const Matrix& logits)
{
    assert(logits.rows == tokens.size());
    TokenScores scores;
    addScores(scores, tokens, 0, logits);
    return scores;
}

} // namespace engine
