#include "app/inspection/stage_trace.h"

#include "engine/sampling/random_draw.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::RestMass;
    using engine::SamplerSettings;
    using engine::SamplerStage;
    using engine::StagedToken;

    constexpr Bounds kAnything { 0, 1 };

    /// The settings with every stage off that comes after this one.
    SamplerSettings upTo(SamplerStage stage, SamplerSettings settings)
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

    double weighed(const std::vector<StagedToken>& staged)
    {
        double sum = 0;
        for (const StagedToken& token : staged)
            sum += token.probability;
        return sum;
    }

    /// The stages up to one of them over the tokens whose order is certain, with the least and the
    /// most that the others can weigh.
    struct StagePair {
        std::vector<StagedToken> least;
        std::vector<StagedToken> most;
        std::vector<Bounds> probabilities;
        bool mayKeepRest = false;
        bool isCutByTopK = false; ///< everything that is not certain is behind the k-th
    };

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

    StagePair stagesUpTo(SamplerStage stage, const ListedScores& listed, const SamplerSettings& all)
    {
        StagePair pair;
        SamplerSettings settings = upTo(stage, all);
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
        pair.least
            = engine::applyStages(listed.certain, settings, RestMass { mass.low, tempered.low });
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
                    engine::applyStages(
                        std::span(listed.certain).first(i + 1), withoutCuts(settings))
                        .back()
                        .probability };
            pair.probabilities.push_back(bounds);
        }
        return pair;
    }

    /// A listed token that others may stand before.
    Bounds uncertainBounds(const engine::TokenScore& token, const StagePair& pair,
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

    std::optional<SamplerStage> uncertainStage(
        const StagePair& pair, const SamplerSettings& settings)
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

    void traceDrawn(StageTrace& trace, const StagePair& pair)
    {
        if (!trace.draw || pair.least.empty())
            return;
        const size_t index = engine::drawFrom(pair.least, *trace.draw);
        const bool isInside = !pair.mayKeepRest || *trace.draw < weighed(pair.most);
        const bool isCertain = trace.cumulative(index).low > *trace.draw
            && (index == 0 || trace.cumulative(index - 1).high <= *trace.draw);
        const bool isExact = pair.least == pair.most && !pair.mayKeepRest;
        if (isExact || (isInside && isCertain))
            trace.drawn = index;
    }

    void traceGreedy(StageTrace& trace, const ListedScores& listed)
    {
        for (TracedCandidate& candidate : trace.candidates) {
            candidate.droppedBy = SamplerStage::None;
            if (!listed.certain.empty())
                candidate.after.back()
                    = candidate.id == listed.certain.front().id ? Bounds { 1, 1 } : Bounds {};
        }
        if (!listed.certain.empty()) {
            trace.drawn = 0;
            trace.restAfter.back() = Bounds {};
        }
    }

    /// Theirs together: what the candidates leave.
    Bounds restOf(const StageTrace& trace, size_t stage, bool mayKeepRest)
    {
        if (!mayKeepRest)
            return {};
        Bounds listed;
        for (const TracedCandidate& candidate : trace.candidates) {
            listed.low += candidate.after[stage]->low;
            listed.high += candidate.after[stage]->high;
        }
        return { std::max(0.0, 1 - listed.high), std::max(0.0, 1 - listed.low) };
    }
}

std::optional<TracedStep> tracedStep(const TokenTrack& track, int token)
{
    const engine::TokenRecord* record = track.record(token);
    const Draft* draft = track.draftOf(token);
    if (!record || record->top.empty() || !record->logSumExp)
        return std::nullopt;
    const engine::ModelText* text = draft->origin().modelText.get();
    const int index = track.tokens()[size_t(token)].index;
    return TracedStep { *record, track.idsBefore(token),
        uint64_t(draft->origin().request.draftTokenCount) + uint64_t(index),
        text && text->tokenizer ? text->tokenizer->vocabulary().size() : 0 };
}

Bounds StageTrace::cumulative(size_t candidate, size_t stage) const
{
    Bounds sum;
    for (size_t i = 0; i <= candidate; ++i) {
        sum.low += candidates[i].after[stage].value_or(kAnything).low;
        sum.high += candidates[i].after[stage].value_or(kAnything).high;
    }
    return { std::min(1.0, sum.low), std::min(1.0, sum.high) };
}

size_t StageTrace::keptCount(size_t stage) const
{
    return size_t(std::ranges::count_if(candidates, [stage](const TracedCandidate& candidate) {
        return candidate.after[stage] && candidate.after[stage]->low > 0;
    }));
}

size_t StageTrace::mostKeptCount(size_t stage) const
{
    return size_t(std::ranges::count_if(candidates, [stage](const TracedCandidate& candidate) {
        return candidate.after[stage] && candidate.after[stage]->high > 0;
    }));
}

const TracedCandidate* StageTrace::find(engine::TokenId id) const
{
    const auto found = std::ranges::find(candidates, id, &TracedCandidate::id);
    return found == candidates.end() ? nullptr : &*found;
}

StageTrace traceStages(const TracedStep& step, const SamplerSettings& settings)
{
    StageTrace trace;
    const auto listed = listedScores(step.record, settings, step.before, step.vocabularySize);
    if (!listed)
        return trace;
    trace.isGreedy = settings.temperature == 0;
    if (!trace.isGreedy)
        trace.draw = engine::uniformDraw(settings.seed, step.drawStep);
    trace.restRaw = listed->rawRest;
    for (const auto* list : { &listed->certain, &listed->uncertain })
        for (const engine::TokenScore& token : *list) {
            const auto raw = std::ranges::find(step.record.top, token.id, &engine::Candidate::id);
            trace.candidates.push_back({ .id = token.id,
                .rawProbability = std::exp(double(raw->logprob)),
                .score = double(token.score) });
        }

    StagePair pair;
    for (size_t stage = 0; stage < kTracedStages.size(); ++stage) {
        if (trace.isGreedy && stage > 0)
            break;
        if (listed->certain.empty()) {
            for (TracedCandidate& candidate : trace.candidates)
                candidate.after[stage] = kAnything;
            trace.restAfter[stage] = kAnything;
            continue;
        }
        const SamplerSettings stages = upTo(kTracedStages[stage], settings);
        pair = stagesUpTo(kTracedStages[stage], *listed, settings);
        for (size_t i = 0; i < trace.candidates.size(); ++i) {
            TracedCandidate& candidate = trace.candidates[i];
            const bool isCertain = i < listed->certain.size();
            candidate.after[stage] = isCertain
                ? pair.probabilities[i]
                : uncertainBounds(
                    listed->uncertain[i - listed->certain.size()], pair, *listed, stages);
            if (!isCertain)
                candidate.droppedBy = uncertainStage(pair, stages);
            else if (pair.least[i].droppedBy == pair.most[i].droppedBy)
                candidate.droppedBy = pair.least[i].droppedBy;
            else
                candidate.droppedBy.reset();
        }
        trace.restAfter[stage] = restOf(trace, stage,
            pair.mayKeepRest && int(trace.candidates.size()) >= engine::kTopCandidateCount);
    }
    if (trace.isGreedy)
        traceGreedy(trace, *listed);
    else
        traceDrawn(trace, pair);
    return trace;
}

StageTrace traceAsRecorded(const TracedStep& step, const SamplerSettings& settings)
{
    StageTrace trace = traceStages(step, settings);
    trace.draw = step.record.draw;
    trace.drawn.reset();
    const bool isChosenByModel = step.record.source == engine::TokenSource::Sampled;
    for (size_t i = 0; i < trace.candidates.size(); ++i)
        if (isChosenByModel && trace.candidates[i].id == step.record.id)
            trace.drawn = i;
    const auto isTold = [](const engine::Candidate& candidate) {
        return candidate.finalProbability || candidate.droppedBy != SamplerStage::None;
    };
    if (trace.isGreedy || !std::ranges::all_of(step.record.top, isTold))
        return trace;
    double kept = 0;
    for (TracedCandidate& candidate : trace.candidates) {
        const auto& observed
            = *std::ranges::find(step.record.top, candidate.id, &engine::Candidate::id);
        const double probability = double(observed.finalProbability.value_or(0.0f));
        candidate.droppedBy = observed.droppedBy;
        candidate.after.back() = Bounds { probability, probability };
        kept += probability;
    }
    const double rest = kept > 1 - 1e-5 ? 0 : 1 - kept; // floats that sum to 1 but for rounding
    trace.restAfter.back() = Bounds { rest, rest };
    return trace;
}

} // namespace app
