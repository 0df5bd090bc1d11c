#include "engine/sampling/step_result.h"

#include "engine/sampling/random_draw.h"

#include <algorithm>
#include <cmath>

namespace engine {

namespace {
    /// The stage that dropped the candidate of this index.
    SamplerStage dropperOf(uint32_t index, const StepResult& result)
    {
        if (index >= result.afterTopK)
            return SamplerStage::TopK;
        if (index >= result.afterTopP)
            return SamplerStage::TopP;
        return index >= result.afterMinP ? SamplerStage::MinP : SamplerStage::None;
    }
}

void decideDoubtful(StepResult& result, std::span<const TokenScore> candidates,
    const SamplerSettings& settings, uint64_t step)
{
    const std::vector<StagedToken> staged
        = applyStages(candidates.first(result.afterTopK), settings);
    const auto leftBy = [&](SamplerStage stage) {
        return uint32_t(std::ranges::find(staged, stage, &StagedToken::droppedBy) - staged.begin());
    };
    result.afterTopP = std::min(leftBy(SamplerStage::TopP), result.afterTopK);
    result.afterMinP = std::min(leftBy(SamplerStage::MinP), result.afterTopP);
    result.temperedMass = float(1 / staged.front().probability);
    const size_t index = drawFrom(staged, uniformDraw(settings.seed, step));
    result.id = staged[index].id;
    result.score = staged[index].score;
    result.rank = uint32_t(index) + 1;
    result.flags &= ~StepResult::kDoubtful;
}

TokenRecord recordOf(const StepResult& result, const SamplerSettings& settings, uint64_t step)
{
    const double best = double(result.top.front().score);
    const double mass = std::max(1.0, double(result.mass)); // the best alone weighs 1
    const double logMass = std::log(mass);
    const auto logprobOf
        = [&](float score) { return float(double(score) - best - logMass); };
    const bool isDrawn = settings.temperature > 0;

    TokenRecord record;
    record.id = result.id;
    record.logprob = logprobOf(result.score);
    record.logSumExp = float(best + logMass);
    record.rank = int(result.rank);
    record.entropy = float(std::max(0.0, logMass - double(result.weighted) / mass));
    record.endProbability = float(std::min(1.0, double(result.endMass) / mass));
    if (isDrawn)
        record.draw = uniformDraw(settings.seed, step);

    const auto add = [&](uint32_t index, TokenId id, float score) {
        Candidate candidate { .id = id, .logprob = logprobOf(score) };
        if (isDrawn)
            candidate.droppedBy = dropperOf(index, result);
        if (isDrawn && candidate.droppedBy == SamplerStage::None)
            candidate.finalProbability
                = float(std::exp((double(score) - best) / double(settings.temperature))
                    / double(result.temperedMass));
        record.top.push_back(std::move(candidate));
    };
    for (uint32_t i = 0; i < result.topCount; ++i)
        add(i, result.top[i].id, result.top[i].score);
    if (result.rank > result.topCount) {
        record.top.pop_back();
        add(result.rank - 1, result.id, result.score);
    }
    return record;
}

} // namespace engine
