#include "app/inspection/listed_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace app {

namespace {
    constexpr int kLargestVocabulary = 1'000'000; // where nobody says how many tokens there are
    constexpr double kRoundingMass = 4e-6; // 20 log-probabilities in float do not sum to 1 exactly

    /// Listed tokens, and those that penalties or bias touch, under small numbers of their own: so
    /// the sampler's function, which looks at a whole vocabulary, can be asked about these alone.
    struct SmallVocabulary {
        std::vector<engine::TokenId> ids;
        std::vector<float> scores;
        std::map<engine::TokenId, engine::TokenId> numbers;

        engine::TokenId add(engine::TokenId id, float score)
        {
            const auto [known, isNew] = numbers.try_emplace(id, engine::TokenId(ids.size()));
            if (isNew) {
                ids.push_back(id);
                scores.push_back(score);
            }
            return known->second;
        }
    };
}

std::optional<ListedScores> listedScores(const engine::TokenRecord& record,
    const engine::SamplerSettings& settings, std::span<const engine::TokenId> before,
    int vocabularySize)
{
    if (record.top.empty() || !record.logSumExp)
        return std::nullopt;
    SmallVocabulary small;
    double listedProbability = 0;
    for (const engine::Candidate& candidate : record.top) {
        small.add(candidate.id, float(double(candidate.logprob) + double(*record.logSumExp)));
        listedProbability += std::exp(double(candidate.logprob));
    }
    const size_t listedCount = small.ids.size();
    const bool isAll
        = int(record.top.size()) < engine::kTopCandidateCount || int(listedCount) == vocabularySize;
    // A chosen token from further down takes the last place of the list.
    const bool hasGap = record.rank && *record.rank > int(listedCount) && listedCount > 1;
    const float lowest = small.scores[hasGap ? listedCount - 2 : listedCount - 1];

    // Tokens that are not listed score `lowest` at most, and penalties keep the order of scores.
    engine::TokenIds window(before.begin(), before.end());
    if (engine::penaltiesOn(settings))
        window.erase(window.begin(),
            window.end() - ptrdiff_t(std::min(window.size(), size_t(settings.repeatWindow))));
    else
        window.clear();
    engine::SamplerSettings renumbered = settings;
    const auto number = [&](engine::TokenId id) {
        return isAll && !small.numbers.contains(id) ? -1 : small.add(id, lowest);
    };
    for (engine::TokenId& id : window)
        id = number(id);
    for (engine::LogitBias& bias : renumbered.logitBias)
        bias.id = number(bias.id);
    for (engine::TokenId& id : renumbered.bannedIds)
        id = number(id);
    std::vector<float> scores = small.scores;
    for (const engine::TokenScore& change :
        engine::adjustedScores(small.scores, window, renumbered))
        scores[size_t(change.id)] = change.score;

    ListedScores result;
    const double lowestOfAll = -std::numeric_limits<double>::infinity();
    result.ceiling = isAll ? lowestOfAll : double(lowest);
    for (size_t i = listedCount; i < scores.size(); ++i)
        result.ceiling = std::max(result.ceiling, double(scores[i]));

    std::vector<size_t> order(listedCount);
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, [&](size_t a, size_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : small.ids[a] < small.ids[b];
    });
    for (size_t i : order) {
        const engine::TokenScore token { small.ids[i], scores[i] };
        if (double(token.score) >= result.ceiling && token.score != engine::kBannedScore)
            result.certain.push_back(token);
        else
            result.uncertain.push_back(token);
    }
    const int size = vocabularySize > 0 ? vocabularySize : kLargestVocabulary;
    const auto banned = std::ranges::count_if(result.uncertain,
        [](const engine::TokenScore& token) { return token.score == engine::kBannedScore; });
    result.restCount
        = isAll ? double(result.uncertain.size()) - double(banned) : double(size) - double(result.certain.size());
    result.rawRest = isAll || 1 - listedProbability < kRoundingMass ? 0 : 1 - listedProbability;
    if (result.certain.empty())
        return result;

    const auto mass = [&](double score) { return std::exp(score - result.best()); };
    const double unlisted = result.rawRest * mass(double(*record.logSumExp));
    result.restMass = { unlisted, unlisted };
    for (size_t i = listedCount; i < scores.size(); ++i) {
        result.restMass.low -= mass(double(lowest)); // at most, where a penalty took it away
        result.restMass.high += mass(double(scores[i])); // at most, where a bias gave it more
    }
    result.restMass.low = std::max(0.0, result.restMass.low);
    for (const engine::TokenScore& token : result.uncertain) {
        result.restMass.low += mass(double(token.score));
        result.restMass.high += mass(double(token.score));
    }
    return result;
}

} // namespace app
