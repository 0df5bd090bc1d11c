#pragma once

#include "engine/base/token.h"
#include "engine/sampling/score_scan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// A token in the running, with its score.
struct TokenScore {
    TokenId id = 0;
    float score = 0;

    bool operator==(const TokenScore&) const = default;
};

/// The scores of a vocabulary in descending order, ties to the lower id, sorted only as far as
/// somebody looks: the block maxima say which stretches can hold the next ones.
class DescendingScores {
public:
    /// Borrows both until the next reset. scores: [vocabularySize] f32, finite.
    void reset(std::span<const float> scores, const ScoreMaxima& maxima);

    /// The first `count` tokens (all of them when there are fewer). Valid until the next call.
    std::span<const TokenScore> first(size_t count);
    size_t vocabularySize() const { return m_scores.size(); }

private:
    void gather(size_t count);

    std::span<const float> m_scores;
    const ScoreMaxima* m_maxima = nullptr;
    std::vector<float> m_blockOrder;
    std::vector<uint64_t> m_keys; ///< score and id packed so that larger comes first
    std::vector<TokenScore> m_sorted;
};

} // namespace engine
