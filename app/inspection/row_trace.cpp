#include "app/inspection/row_trace.h"

#include "engine/sampling/sampler_stages.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace app {

namespace {
    using engine::TokenId;

    /// Descending, ties to the lower id.
    std::vector<TokenId> orderOf(std::span<const float> scores)
    {
        std::vector<TokenId> order(scores.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [scores](TokenId a, TokenId b) {
            return scores[size_t(a)] != scores[size_t(b)] ? scores[size_t(a)] > scores[size_t(b)] : a < b;
        });
        return order;
    }
}

RowTrace::RowTrace(std::shared_ptr<const std::vector<float>> scores, const engine::SamplerSettings& settings,
    std::span<const TokenId> before)
    : m_scores(std::move(scores))
    , m_ranks(m_scores->size())
    , m_finals(m_scores->size())
    , m_stages(m_scores->size(), engine::SamplerStage::None)
    , m_isGreedy(settings.temperature == 0)
{
    const std::vector<TokenId> order = orderOf(*m_scores);
    const double best = double((*m_scores)[size_t(order.front())]);
    double mass = 0;
    for (size_t i = 0; i < order.size(); ++i) {
        m_ranks[size_t(order[i])] = int(i) + 1;
        mass += std::exp(double((*m_scores)[size_t(order[i])]) - best);
    }
    m_logSumExp = best + std::log(mass);
    traceStages(settings, before, order);
}

void RowTrace::traceStages(const engine::SamplerSettings& settings, std::span<const TokenId> before,
    const std::vector<TokenId>& rawOrder)
{
    const std::vector<engine::TokenScore> changes = engine::adjustedScores(*m_scores, before, settings);
    std::vector<float> adjusted;
    if (!changes.empty())
        adjusted = *m_scores;
    for (const engine::TokenScore& change : changes)
        adjusted[size_t(change.id)] = change.score;
    const std::vector<float>& scores = changes.empty() ? *m_scores : adjusted;
    std::vector<engine::TokenScore> descending;
    descending.reserve(scores.size());
    for (const TokenId id : changes.empty() ? rawOrder : orderOf(scores))
        descending.push_back({ id, scores[size_t(id)] });
    for (const engine::StagedToken& token : engine::applyStages(descending, settings)) {
        m_finals[size_t(token.id)] = token.probability;
        m_stages[size_t(token.id)] = token.droppedBy;
    }
}

RowToken RowTrace::token(TokenId id) const
{
    const auto index = size_t(id);
    return { id, std::exp(double((*m_scores)[index]) - m_logSumExp), m_ranks[index], m_finals[index], m_stages[index] };
}

std::vector<RowToken> RowTrace::best(const engine::TokenIds& ids, size_t count) const
{
    std::vector<std::pair<int, TokenId>> ranked;
    ranked.reserve(ids.size());
    for (const TokenId id : ids)
        if (id >= 0 && id < size())
            ranked.emplace_back(m_ranks[size_t(id)], id);
    const auto end = ranked.begin() + ptrdiff_t(std::min(count, ranked.size()));
    std::partial_sort(ranked.begin(), end, ranked.end());
    std::vector<RowToken> tokens;
    for (auto at = ranked.begin(); at != end; ++at)
        tokens.push_back(token(at->second));
    return tokens;
}

} // namespace app
