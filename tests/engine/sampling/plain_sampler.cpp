#include "tests/engine/sampling/plain_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace engine;

namespace tests {

namespace {
    double logSumExp(const std::vector<double>& scores)
    {
        const double best = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (double score : scores)
            sum += std::exp(score - best);
        return best + std::log(sum);
    }

    void adjust(std::vector<double>& scores, std::span<const TokenId> recent,
        const SamplerSettings& settings)
    {
        const size_t window = std::min(recent.size(), size_t(settings.repeatWindow));
        std::vector<int> counts(scores.size());
        for (TokenId id : recent.subspan(recent.size() - window))
            ++counts[size_t(id)];
        for (size_t id = 0; id < scores.size(); ++id) {
            if (counts[id] == 0)
                continue;
            if (scores[id] > 0)
                scores[id] /= double(settings.repeatPenalty);
            else
                scores[id] *= double(settings.repeatPenalty);
            scores[id] -= double(settings.presencePenalty)
                + counts[id] * double(settings.frequencyPenalty);
        }
        for (const LogitBias& bias : settings.logitBias)
            scores[size_t(bias.id)] += double(bias.bias);
        for (const TokenId id : settings.bannedIds)
            scores[size_t(id)] = -std::numeric_limits<double>::infinity();
    }
}

PlainDistribution plainDistribution(std::span<const float> logits,
    std::span<const TokenId> recentTokens, const SamplerSettings& settings)
{
    PlainDistribution result;
    result.adjusted.assign(logits.begin(), logits.end());
    const double normaliser = logSumExp(result.adjusted);
    for (double score : result.adjusted) {
        result.rawLogprobs.push_back(score - normaliser);
        result.entropy -= std::exp(score - normaliser) * (score - normaliser);
    }
    adjust(result.adjusted, recentTokens, settings);

    result.order.resize(logits.size());
    std::iota(result.order.begin(), result.order.end(), 0);
    std::stable_sort(result.order.begin(), result.order.end(), [&](TokenId a, TokenId b) {
        return result.adjusted[size_t(a)] > result.adjusted[size_t(b)];
    });
    result.droppedBy.assign(logits.size(), SamplerStage::None);
    std::vector<TokenId> kept = result.order;
    const auto dropAfter = [&](size_t count, SamplerStage stage) {
        for (size_t i = count; i < kept.size(); ++i)
            result.droppedBy[size_t(kept[i])] = stage;
        kept.resize(std::min(count, kept.size()));
    };
    const auto weight = [&](TokenId id, double temperature) {
        return std::exp(
            (result.adjusted[size_t(id)] - result.adjusted[size_t(kept[0])]) / temperature);
    };
    const auto banned = std::find_if(kept.begin(), kept.end(),
        [&](TokenId id) { return std::isinf(result.adjusted[size_t(id)]); });
    dropAfter(size_t(banned - kept.begin()), SamplerStage::LogitBias);
    if (settings.topK > 0)
        dropAfter(size_t(settings.topK), SamplerStage::TopK);
    if (settings.topP < 1) {
        double total = 0;
        for (TokenId id : kept)
            total += weight(id, 1);
        double sum = 0;
        size_t count = 0;
        while (count < kept.size() && (count == 0 || sum < double(settings.topP) * total))
            sum += weight(kept[count++], 1);
        dropAfter(count, SamplerStage::TopP);
    }
    if (settings.minP > 0) {
        size_t count = 1;
        while (count < kept.size() && weight(kept[count], 1) >= double(settings.minP))
            ++count;
        dropAfter(count, SamplerStage::MinP);
    }
    result.probability.assign(logits.size(), 0);
    double total = 0;
    for (TokenId id : kept)
        total += weight(id, double(settings.temperature));
    for (TokenId id : kept)
        result.probability[size_t(id)] = weight(id, double(settings.temperature)) / total;
    return result;
}

TokenId plainDraw(const PlainDistribution& distribution, double uniform)
{
    double sum = 0;
    for (TokenId id : distribution.order) {
        sum += distribution.probability[size_t(id)];
        if (uniform < sum)
            return id;
    }
    return distribution.order.front();
}

} // namespace tests
