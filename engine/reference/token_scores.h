#pragma once

#include "engine/base/token.h"
#include "engine/reference/matrix.h"

#include <span>
#include <vector>

namespace engine {

/// What a model thinks of a given text, position by position.
struct TokenScores {
    TokenIds argmax; ///< [positions]: the likeliest next token, ties to the lower id
    std::vector<double> logprobOfNext; ///< [positions - 1]: of the token that does follow, in nats
    std::vector<float> lastLogits; ///< [vocabularySize]: scores of what comes after the last token
};

/// Adds the rows of logits, [rows, vocabularySize], of the positions from firstPosition on, in
/// order.
void addScores(
    TokenScores& scores, const TokenIds& tokens, size_t firstPosition, const Matrix& logits);

/// All at once. logits: [tokens, vocabularySize], one row per token.
TokenScores tokenScores(const TokenIds& tokens, const Matrix& logits);

/// Index of the largest value, ties to the lower.
TokenId argmaxOf(std::span<const float> logits);

/// Log-probability of one token in nats, computed in double.
double logprobOf(std::span<const float> logits, TokenId token);

} // namespace engine
