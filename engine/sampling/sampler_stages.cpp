#include "engine/sampling/sampler_stages.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace engine {

namespace {
    constexpr float kLargestScore
        = 0.99e38f; // an extreme penalty must not make a finite score infinite, nor a ban

    float penalised(float score, int count, const SamplerSettings& settings)
    {
        score = score > 0 ? score / settings.repeatPenalty : score * settings.repeatPenalty;
        return score - settings.presencePenalty - settings.frequencyPenalty * float(count);
    }

    /// Marks what follows the smallest prefix that reaches topP of the mass.
    void dropByTopP(std::span<StagedToken> kept, double rest, float topP)
    {
        const float best = kept.front().score;
        double total = rest;
        for (const StagedToken& token : kept)
            total += std::exp(double(token.score) - double(best));
        double sum = 0;
        size_t count = 0;
        while (count < kept.size() && (count == 0 || sum < double(topP) * total))
            sum += std::exp(double(kept[count++].score) - double(best));
        for (StagedToken& token : kept.subspan(count))
            token.droppedBy = SamplerStage::TopP;
    }
}

bool penaltiesOn(const SamplerSettings& settings)
{
    return settings.repeatWindow > 0
        && (settings.repeatPenalty != 1 || settings.presencePenalty != 0
            || settings.frequencyPenalty != 0);
}

std::vector<TokenScore> adjustedScores(std::span<const float> rawScores,
    std::span<const TokenId> recentTokens, const SamplerSettings& settings)
{
    std::map<TokenId, float> scores;
    if (penaltiesOn(settings)) {
        std::map<TokenId, int> counts;
        for (TokenId id :
            recentTokens.last(std::min(recentTokens.size(), size_t(settings.repeatWindow))))
            if (id >= 0 && size_t(id) < rawScores.size())
                ++counts[id];
        for (const auto& [id, count] : counts)
            scores[id] = penalised(rawScores[size_t(id)], count, settings);
    }
    for (const LogitBias& bias : settings.logitBias)
        if (bias.id >= 0 && size_t(bias.id) < rawScores.size())
            scores.try_emplace(bias.id, rawScores[size_t(bias.id)]).first->second += bias.bias;

    for (auto& [id, score] : scores)
        score = std::clamp(score, -kLargestScore, kLargestScore);
    for (const TokenId id : settings.bannedIds)
        if (id >= 0 && size_t(id) < rawScores.size())
            scores[id] = kBannedScore;

    std::vector<TokenScore> adjusted;
    for (const auto& [id, score] : scores)
        adjusted.push_back({ id, score });
    return adjusted;
}

std::vector<StagedToken> applyStages(
    std::span<const TokenScore> descending, const SamplerSettings& settings, const RestMass& rest)
{
    std::vector<StagedToken> staged;
    staged.reserve(descending.size());
    for (const TokenScore& token : descending)
        staged.push_back({ token.id, token.score });
    const auto banned = std::find_if(staged.begin(), staged.end(),
        [](const StagedToken& token) { return token.score == kBannedScore; }); // no score comes there by itself
    std::for_each(banned, staged.end(), [](StagedToken& token) { token.droppedBy = SamplerStage::LogitBias; });
    if (banned == staged.begin())
        return staged;
    if (settings.temperature == 0) {
        staged.front().probability = 1;
        return staged;
    }

    std::span<StagedToken> kept(staged.begin(), banned);
    bool restIsIn = banned == staged.end();
    const auto keepUndropped = [&] {
        const auto end = std::find_if(kept.begin(), kept.end(),
            [](const StagedToken& token) { return token.droppedBy != SamplerStage::None; });
        restIsIn = restIsIn && end == kept.end();
        kept = kept.first(size_t(end - kept.begin()));
    };
    if (settings.topK > 0) {
        restIsIn = false;
        for (size_t i = size_t(settings.topK); i < kept.size(); ++i)
            kept[i].droppedBy = SamplerStage::TopK;
        keepUndropped();
    }
    if (settings.topP < 1) {
        dropByTopP(kept, restIsIn ? rest.plain : 0, settings.topP);
        keepUndropped();
    }
    if (settings.minP > 0) {
        const double lowest = double(kept.front().score) + std::log(double(settings.minP));
        for (StagedToken& token : kept.subspan(1)) // the best one always stays
            if (double(token.score) < lowest)
                token.droppedBy = SamplerStage::MinP;
        keepUndropped();
    }

    double total = restIsIn ? rest.tempered : 0;
    for (StagedToken& token : kept) {
        const double distance = double(token.score) - double(kept.front().score);
        token.probability = std::exp(distance / double(settings.temperature));
        total += token.probability;
    }
    for (StagedToken& token : kept)
        token.probability /= total;
    return staged;
}

size_t drawFrom(std::span<const StagedToken> staged, double uniform)
{
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < staged.size(); ++i) {
        if (staged[i].probability <= 0)
            continue;
        last = i;
        sum += staged[i].probability;
        if (uniform < sum)
            return i;
    }
    return last; // rounding left the sum a hair below one
}

} // namespace engine
