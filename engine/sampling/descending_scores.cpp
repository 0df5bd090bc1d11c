#include "engine/sampling/descending_scores.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

namespace engine {

namespace {
    /// Larger key = larger score, then lower id.
    uint64_t orderKey(float score, TokenId id)
    {
        const uint32_t bits = std::bit_cast<uint32_t>(score + 0.0f); // one zero only
        const uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        return uint64_t(ordered) << 32 | (0xFFFFFFFFu - uint32_t(id));
    }

    TokenId idOfKey(uint64_t key) { return TokenId(0xFFFFFFFFu - uint32_t(key)); }
}

void DescendingScores::reset(std::span<const float> scores, const ScoreMaxima& maxima)
{
    m_scores = scores;
    m_maxima = &maxima;
    m_sorted.clear();
}

std::span<const TokenScore> DescendingScores::first(size_t count)
{
    count = std::min(count, m_scores.size());
    if (m_sorted.size() < count)
        gather(count);
    return std::span<const TokenScore>(m_sorted).first(count);
}

void DescendingScores::gather(size_t count)
{
    const std::vector<float>& blocks = m_maxima->blocks;
    // Each of the `count` best blocks holds one score at least as large as the last one's maximum.
    float threshold = -std::numeric_limits<float>::infinity();
    if (count < blocks.size()) {
        m_blockOrder = blocks;
        const auto nth = m_blockOrder.begin() + ptrdiff_t(count) - 1;
        std::nth_element(m_blockOrder.begin(), nth, m_blockOrder.end(), std::greater<>());
        threshold = *nth;
    }
    m_keys.clear();
    for (size_t block = 0; block < blocks.size(); ++block) {
        if (blocks[block] < threshold)
            continue;
        const size_t end = std::min((block + 1) * kScoreBlock, m_scores.size());
        for (size_t i = block * kScoreBlock; i < end; ++i)
            if (m_scores[i] >= threshold)
                m_keys.push_back(orderKey(m_scores[i], TokenId(i)));
    }
    const auto last = m_keys.begin() + ptrdiff_t(count);
    std::nth_element(m_keys.begin(), last - 1, m_keys.end(), std::greater<>());
    std::sort(m_keys.begin(), last, std::greater<>());
    m_sorted.clear();
    for (auto key = m_keys.begin(); key != last; ++key)
        m_sorted.push_back({ idOfKey(*key), m_scores[size_t(idOfKey(*key))] });
}

} // namespace engine
