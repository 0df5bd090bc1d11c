#include "app/inspection/stage_trace.h"

#include "app/inspection/stage_bounds.h"
#include "engine/sampling/random_draw.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::SamplerSettings;
    using engine::SamplerStage;

    constexpr Bounds kAnything { 0, 1 };

    void traceDrawn(StageTrace& trace, const StageBounds& pair)
    {
        if (!trace.draw || pair.least.empty())
            return;
        const size_t index = engine::drawFrom(pair.least, *trace.draw);
        const bool isInside = !pair.mayKeepRest || *trace.draw < pair.leastKept();
        const bool isCertain
            = trace.cumulative(index).low > *trace.draw && trace.before(index).high <= *trace.draw;
        const bool isExact = pair.least == pair.most && !pair.mayKeepRest;
        if (isExact || (isInside && isCertain))
            trace.drawn = index;
    }

    void traceGreedy(StageTrace& trace, const ListedScores& listed)
    {
        for (TracedCandidate& candidate : trace.candidates) {
            candidate.droppedBy = float(candidate.score) == engine::kBannedScore ? SamplerStage::LogitBias : SamplerStage::None;
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
    if (!record || record->top.empty() || !record->logSumExp)
        return std::nullopt;
    const engine::ModelText* text = track.modelRunOf(token)->origin().modelText.get();
    return TracedStep { *record, track.idsBefore(token), track.drawStepOf(token),
        text && text->tokenizer ? text->tokenizer->vocabulary().size() : 0,
        track.isFirstOfRun(token) ? track.bannedFirstIdsOf(token) : engine::TokenIds() };
}

Bounds StageTrace::before(size_t candidate, size_t stage) const
{
    Bounds sum;
    for (size_t i = 0; i < candidate; ++i) {
        sum.low += candidates[i].after[stage].value_or(kAnything).low;
        sum.high += candidates[i].after[stage].value_or(kAnything).high;
    }
    if (candidate >= certainCount)
        sum.high += restAfter[stage].value_or(kAnything).high;
    return { std::min(1.0, sum.low), std::min(1.0, sum.high) };
}

Bounds StageTrace::cumulative(size_t candidate, size_t stage) const
{
    const Bounds start = before(candidate, stage);
    const Bounds own = candidates[candidate].after[stage].value_or(kAnything);
    return { std::min(1.0, start.low + own.low), std::min(1.0, start.high + own.high) };
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

StageTrace traceStages(const TracedStep& step, const SamplerSettings& given)
{
    StageTrace trace;
    SamplerSettings settings = given;
    settings.bannedIds.insert(settings.bannedIds.end(), step.bannedIds.begin(), step.bannedIds.end());
    const auto listed = listedScores(step.record, settings, step.before, step.vocabularySize);
    if (!listed)
        return trace;
    trace.isGreedy = settings.temperature == 0;
    if (!trace.isGreedy)
        trace.draw = engine::uniformDraw(settings.seed, step.drawStep);
    trace.restRaw = listed->rawRest;
    trace.certainCount = listed->certain.size();
    for (const auto* list : { &listed->certain, &listed->uncertain })
        for (const engine::TokenScore& token : *list) {
            const auto raw = std::ranges::find(step.record.top, token.id, &engine::Candidate::id);
            trace.candidates.push_back({ .id = token.id,
                .rawProbability = std::exp(double(raw->logprob)),
                .score = double(token.score) });
        }

    StageBounds pair;
    for (size_t stage = 0; stage < kTracedStages.size(); ++stage) {
        if (trace.isGreedy && stage > 0)
            break;
        if (listed->certain.empty()) {
            for (TracedCandidate& candidate : trace.candidates)
                candidate.after[stage] = kAnything;
            trace.restAfter[stage] = kAnything;
            continue;
        }
        const SamplerSettings stages = settingsUpTo(kTracedStages[stage], settings);
        pair = stageBounds(kTracedStages[stage], *listed, settings);
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
    for (TracedCandidate& candidate : trace.candidates)
        if (float(candidate.score) == engine::kBannedScore) {
            candidate.after.fill(Bounds {});
            candidate.droppedBy = SamplerStage::LogitBias;
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
