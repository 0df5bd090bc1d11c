#include "engine/sampling/sampler.h"

#include "engine/sampling/random_draw.h"

#include <algorithm>
#include <cmath>

namespace engine {

namespace {
    constexpr size_t kFirstLook = 64;
    constexpr size_t kLookGrowth = 8;

    bool cutsSomething(const SamplerSettings& settings)
    {
        return settings.topP < 1 || settings.minP > 0;
    }
}

Sampler::Sampler(SamplerSettings settings, TokenIds endTokenIds)
    : m_settings(std::move(settings))
    , m_endTokenIds(std::move(endTokenIds))
{
}

Result<TokenRecord> Sampler::choose(const SamplingStep& step)
{
    if (step.logits.empty())
        return Error::badRequest("there are no scores to choose from");
    if (step.forcedId && (*step.forcedId < 0 || size_t(*step.forcedId) >= step.logits.size()))
        return Error::badRequest("forced token " + std::to_string(*step.forcedId)
            + " is not in the vocabulary of " + std::to_string(step.logits.size()));
    scanMaxima(step.logits, m_rawMaxima);
    if (!m_rawMaxima.finite)
        return Error::notFinite("the model's scores are not finite numbers");

    const bool needsMass = step.isInspected || m_settings.temperature > 0;
    const ScoreMass rawMass = needsMass ? scanMass(step.logits, m_rawMaxima.best) : ScoreMass {};
    m_rawOrder.reset(step.logits, m_rawMaxima);
    adjust(step);
    if (!step.forcedId && m_best == kBannedScore)
        return Error::badRequest("every token of the vocabulary is banned: nothing is left to choose. Take back a ban.");

    TokenRecord record;
    const bool isDrawn = m_settings.temperature > 0 && !step.forcedId;
    const double uniform = m_settings.temperature > 0 ? uniformDraw(m_settings.seed, step.step) : 0;
    const std::vector<StagedToken> staged = stagedTokens(rawMass.mass, uniform);
    if (step.forcedId) {
        record.id = *step.forcedId;
        record.source = TokenSource::Forced;
    } else {
        record.id = staged[drawFrom(staged, uniform)].id;
    }
    if (isDrawn)
        record.draw = uniform;
    if (!step.isInspected)
        return record;
    describeRaw(step, rawMass, record);
    if (m_settings.temperature > 0)
        describeStages(staged, record);
    return record;
}

void Sampler::adjust(const SamplingStep& step)
{
    std::vector<TokenScore> changes = adjustedScores(step.logits, step.recentTokens, m_settings);
    for (const TokenId id : step.bannedIds)
        if (id >= 0 && size_t(id) < step.logits.size())
            changes.push_back({ id, kBannedScore });
    m_isAdjusted = !changes.empty();
    m_scores = step.logits;
    m_best = m_rawMaxima.best;
    if (!m_isAdjusted)
        return;
    m_adjustedScores.assign(step.logits.begin(), step.logits.end());
    for (const TokenScore& change : changes)
        m_adjustedScores[size_t(change.id)] = change.score;
    scanMaxima(m_adjustedScores, m_adjustedMaxima);
    m_adjustedOrder.reset(m_adjustedScores, m_adjustedMaxima);
    m_scores = m_adjustedScores;
    m_best = m_adjustedMaxima.best;
}

std::vector<StagedToken> Sampler::stagedTokens(double rawMass, double uniform)
{
    DescendingScores& order = m_isAdjusted ? m_adjustedOrder : m_rawOrder;
    m_temperedMass = 0;
    if (m_settings.temperature == 0)
        return applyStages(order.first(1), m_settings);
    if (m_settings.topK > 0)
        return applyStages(order.first(size_t(m_settings.topK)), m_settings);

    const double plainTotal = m_isAdjusted ? scanMass(m_scores, m_best).mass : rawMass;
    m_temperedMass = scanMass(m_scores, m_best, 1 / m_settings.temperature).mass;
    for (size_t count = kFirstLook;; count *= kLookGrowth) {
        const std::span<const TokenScore> listed = order.first(count);
        const bool isAll = listed.size() == order.vocabularySize();
        RestMass rest { plainTotal, m_temperedMass };
        for (const TokenScore& token : listed) {
            const double distance = double(token.score) - double(m_best);
            rest.plain -= std::exp(distance);
            rest.tempered -= std::exp(distance / double(m_settings.temperature));
        }
        rest = isAll ? RestMass {}
                     : RestMass { std::max(rest.plain, 0.0), std::max(rest.tempered, 0.0) };
        std::vector<StagedToken> staged = applyStages(listed, m_settings, rest);
        if (isAll || staged.back().droppedBy != SamplerStage::None)
            return staged;
        // Nothing was cut yet: with a cutting stage the end is further down, without one the list
        // is long enough when the draw falls inside it.
        double sum = 0;
        for (const StagedToken& token : staged)
            sum += token.probability;
        if (!cutsSomething(m_settings) && uniform < sum)
            return staged;
    }
}

void Sampler::describeRaw(const SamplingStep& step, const ScoreMass& mass, TokenRecord& record)
{
    const double best = double(m_rawMaxima.best);
    const double logMass = std::log(mass.mass);
    const auto logprobOf
        = [&](TokenId id) { return float(double(step.logits[size_t(id)]) - best - logMass); };
    record.logprob = logprobOf(record.id);
    record.logSumExp = float(best + logMass);
    record.rank = countBefore(step.logits, size_t(record.id)) + 1;
    record.entropy = float(std::max(0.0, logMass - mass.weighted / mass.mass));
    double endProbability = 0;
    for (TokenId id : m_endTokenIds)
        if (id >= 0 && size_t(id) < step.logits.size())
            endProbability += std::exp(double(logprobOf(id)));
    record.endProbability = float(std::min(1.0, endProbability));

    for (const TokenScore& token : m_rawOrder.first(kTopCandidateCount))
        record.top.push_back({ token.id, logprobOf(token.id) });
    if (*record.rank > int(record.top.size()))
        record.top.back() = { record.id, *record.logprob };
}

void Sampler::describeStages(std::span<const StagedToken> staged, TokenRecord& record)
{
    const SamplerStage cutBy = m_settings.topK > 0 ? SamplerStage::TopK
        : m_settings.topP < 1                      ? SamplerStage::TopP
        : m_settings.minP > 0                      ? SamplerStage::MinP
                                                   : SamplerStage::None;
    for (Candidate& candidate : record.top) {
        const auto token = std::find_if(staged.begin(), staged.end(),
            [&](const StagedToken& other) { return other.id == candidate.id; });
        candidate.droppedBy = token != staged.end()                  ? token->droppedBy
            : m_scores[size_t(candidate.id)] == kBannedScore ? SamplerStage::LogitBias
                                                             : cutBy;
        if (candidate.droppedBy != SamplerStage::None)
            continue;
        if (token != staged.end()) {
            candidate.finalProbability = float(token->probability);
            continue;
        }
        const double distance = double(m_scores[size_t(candidate.id)]) - double(m_best);
        candidate.finalProbability
            = float(std::exp(distance / double(m_settings.temperature)) / m_temperedMass);
    }
}

} // namespace engine
