#include "app/inspection/stage_bounds.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::RestMass;
    using engine::SamplerSettings;
    using engine::SamplerStage;
    using engine::StagedToken;

    SamplerSettings withoutCuts(SamplerSettings settings)
    {
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0;
        return settings;
    }

    bool endsDropped(const std::vector<StagedToken>& staged)
    {
        return staged.back().droppedBy != SamplerStage::None;
    }

    /// Bounds of sum(w^power) over `count` weights of at most `largest` that sum to `mass`.
    Bounds poweredMass(const Bounds& mass, double count, double largest, double power)
    {
        const double most = count * std::pow(largest, power);
        const double steered = std::pow(largest, power - 1); // w^power = w * w^(power - 1)
        const auto even = [&](double sum) { return count * std::pow(sum / count, power); };
        if (count <= 0 || mass.high <= 0)
            return {};
        if (power >= 1)
            return { even(mass.low), std::min(most, mass.high * steered) };
        return { mass.low * steered, std::min(most, even(mass.high)) };
    }
}

engine::SamplerSettings settingsUpTo(SamplerStage stage, SamplerSettings settings)
{
    if (stage < SamplerStage::Temperature)
        settings.temperature = 1;
    if (stage < SamplerStage::MinP)
        settings.minP = 0;
    if (stage < SamplerStage::TopP)
        settings.topP = 1;
    if (stage < SamplerStage::TopK)
        settings.topK = 0;
    return settings;
}

StageBounds stageBounds(SamplerStage stage, const ListedScores& listed, const SamplerSettings& all)
{
    StageBounds pair;
    SamplerSettings settings = settingsUpTo(stage, all);
    Bounds mass = listed.restMass;
    double count = listed.restCount;
    const double largest = std::exp(listed.ceiling - listed.best());
    if (settings.topK > int(listed.certain.size())) {
        // Top-k cuts among tokens that are not in the list: some of them stay.
        count = std::min(count, double(settings.topK) - double(listed.certain.size()));
        const bool keepsAll = count >= listed.restCount;
        mass = { keepsAll ? mass.low : 0, std::min(mass.high, count * largest) };
        settings.topK = 0;
    } else if (settings.topK > 0) {
        mass = {};
        count = 0;
        pair.isCutByTopK = true;
    }
    const Bounds tempered = poweredMass(mass, count, largest, 1 / double(settings.temperature));
    pair.least = engine::applyStages(listed.certain, settings, RestMass { mass.low, tempered.low });
    pair.most
        = engine::applyStages(listed.certain, settings, RestMass { mass.high, tempered.high });
    pair.mayKeepRest = count > 0 && !endsDropped(pair.most);
    // A stage that cut nothing here may have cut all that is further down.
    std::vector<StagedToken> alone = pair.least;
    if (!endsDropped(pair.least) && (settings.topP < 1 || settings.minP > 0))
        alone = engine::applyStages(listed.certain, withoutCuts(settings));
    for (size_t i = 0; i < alone.size(); ++i) {
        const StagedToken& least = pair.least[i];
        const StagedToken& most = pair.most[i];
        Bounds bounds { std::min(alone[i].probability, most.probability),
            std::max(alone[i].probability, most.probability) };
        if (least.droppedBy != most.droppedBy) // kept by some masses between the two
            bounds = { 0,
                engine::applyStages(std::span(listed.certain).first(i + 1), withoutCuts(settings))
                    .back()
                    .probability };
        pair.probabilities.push_back(bounds);
    }
    return pair;
}

double StageBounds::leastKept() const
{
    double sum = 0;
    for (const StagedToken& token : most)
        sum += token.probability;
    return sum;
}

Bounds uncertainBounds(const engine::TokenScore& token, const StageBounds& pair,
    const ListedScores& listed, const SamplerSettings& settings)
{
    if (!pair.mayKeepRest)
        return {};
    const double share
        = std::exp((double(token.score) - listed.best()) / double(settings.temperature));
    const Bounds& best = pair.probabilities.front();
    const bool isCut = settings.topK > 0 || settings.topP < 1 || settings.minP > 0;
    return { isCut ? 0 : best.low * share, std::min(1.0, best.high * share) };
}

std::optional<SamplerStage> uncertainStage(const StageBounds& pair, const SamplerSettings& settings)
{
    if (settings.topK == 0 && settings.topP >= 1 && settings.minP <= 0)
        return SamplerStage::None;
    if (pair.isCutByTopK)
        return SamplerStage::TopK;
    const SamplerStage last = pair.least.back().droppedBy;
    const bool isTold = last == pair.most.back().droppedBy && last != SamplerStage::None;
    // Further down an earlier stage may have dropped it already.
    if (isTold && settings.topK == 0 && (last == SamplerStage::TopP || settings.topP >= 1))
        return last;
    return std::nullopt;
}

} // namespace app
