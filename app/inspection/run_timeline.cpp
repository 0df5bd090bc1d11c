#include "app/inspection/run_timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace app {

namespace {
    using Moment = std::optional<double>;

    /// Clocks are read one after the other: a difference of two may come out below zero.
    Moment difference(Moment from, Moment to)
    {
        return from && to ? Moment(std::max(0.0, *to - *from)) : std::nullopt;
    }

    std::vector<TokenStep> stepsOf(const Draft& draft)
    {
        std::vector<TokenStep> steps;
        steps.reserve(draft.records().size());
        Moment before;
        for (const engine::TokenRecord& record : draft.records()) {
            steps.push_back(
                { record.decidedMs, record.arrivedMs, difference(before, record.decidedMs),
                    difference(record.decidedMs, record.arrivedMs) });
            before = record.decidedMs;
        }
        for (const DraftPause& pause : draft.pauses())
            if (pause.beforeToken < int(steps.size()))
                steps[size_t(pause.beforeToken)].hasPause = true;
        return steps;
    }

    /// The n-th decode pass gives the token after the n-th; the last chunk before the first token
    /// gives that. A chunk that comes later was read again after a pause.
    std::vector<TimelinePass> passesOf(const Draft& draft)
    {
        std::vector<TimelinePass> passes;
        passes.reserve(draft.passes().size());
        int token = 0;
        int lastChunk = -1;
        constexpr double kNever = std::numeric_limits<double>::infinity();
        const double firstMs = draft.records().empty()
            ? kNever
            : draft.records().front().decidedMs.value_or(kNever);
        for (const engine::RunPass& pass : draft.passes()) {
            passes.push_back({ pass, -1, {} });
            const bool isLater = token > 0 || pass.startMs > firstMs;
            if (pass.kind == engine::PassKind::Prefill && !isLater)
                lastChunk = int(passes.size()) - 1;
            if (pass.kind == engine::PassKind::Decode)
                passes.back().token = ++token;
        }
        if (lastChunk >= 0)
            passes[size_t(lastChunk)].token = 0;
        for (TimelinePass& pass : passes) {
            if (pass.token >= int(draft.records().size()))
                pass.token = -1; // the run ended before a token was chosen from it
            if (pass.token >= 0)
                pass.arrivedMs = draft.records()[size_t(pass.token)].arrivedMs;
        }
        std::ranges::stable_sort(
            passes, {}, [](const TimelinePass& pass) { return pass.pass.startMs; });
        return passes;
    }

    Moment firstDecided(const RunTimeline& line)
    {
        return line.steps.empty() ? std::nullopt : line.steps.front().decidedMs;
    }

    double lastKnownMs(const RunTimeline& line, const engine::RunTiming& timing)
    {
        double last = 0;
        for (const Moment& moment : { timing.dequeuedMs, timing.prefillStartMs, timing.prefillEndMs,
                 timing.firstTokenMs, timing.endedMs })
            last = std::max(last, moment.value_or(0));
        for (const TokenStep& step : line.steps)
            last = std::max(last, step.decidedMs.value_or(0));
        return last;
    }

    void addPhases(RunTimeline& line, const engine::RunTiming& timing)
    {
        const auto add = [&](RunPhase kind, Moment start, Moment end) {
            if (start && end && *end > *start)
                line.phases.push_back({ kind, *start, *end });
        };
        const Moment end = line.endMs;
        if (timing.dequeuedMs || timing.endedMs)
            add(RunPhase::Queue, 0.0, timing.dequeuedMs ? timing.dequeuedMs : end);
        else
            add(RunPhase::Before, 0.0, firstDecided(line));
        if (timing.prefillStartMs)
            add(RunPhase::Prefill, timing.prefillStartMs,
                timing.prefillEndMs ? timing.prefillEndMs : end);
        add(RunPhase::Writing, timing.prefillEndMs ? timing.prefillEndMs : firstDecided(line), end);
    }

    /// What was done before the engine got the run, one after the other.
    void addPreparation(RunTimeline& line, const Draft& draft)
    {
        if (!draft.startedMs() || *draft.startedMs() <= 0)
            return;
        double now = line.startMs = -*draft.startedMs();
        const auto add = [&](RunPhase kind, Moment length) {
            if (length && *length > 0)
                line.phases.push_back({ kind, now, now + *length });
            now += length.value_or(0);
        };
        add(RunPhase::Template, line.prompt.templateMs);
        add(RunPhase::Tokenise, line.prompt.tokenizeMs);
        add(RunPhase::Saving, line.savingMs);
    }

    /// The window counts from when the draft was submitted, the engine from when it got the run.
    void addMoments(RunTimeline& line, const Draft& draft, const engine::RunTiming& timing)
    {
        const auto add = [&](RunMoment kind, Moment ms) {
            if (!ms)
                return;
            line.moments.push_back({ kind, *ms });
            line.endMs = std::max(line.endMs, *ms);
        };
        add(RunMoment::FirstText, timing.firstTextMs);
        add(RunMoment::FirstPaint, difference(draft.startedMs(), draft.firstOutputMs()));
        add(RunMoment::LastPaint, difference(draft.startedMs(), draft.lastPaintMs()));
    }

    /// The window sees a pause a little later than the engine made it: it lies between two tokens.
    void addPauses(RunTimeline& line, const Draft& draft, const engine::RunTiming& timing)
    {
        const int count = int(line.steps.size());
        for (const DraftPause& pause : draft.pauses()) {
            if (!pause.endMs || pause.beforeToken > count)
                continue;
            const Moment before = pause.beforeToken > 0
                ? line.steps[size_t(pause.beforeToken - 1)].decidedMs
                : timing.prefillEndMs;
            const Moment after = pause.beforeToken < count
                ? line.steps[size_t(pause.beforeToken)].decidedMs
                : timing.endedMs;
            const double start = std::max(pause.startMs, before.value_or(0));
            const double end = std::min(*pause.endMs, after.value_or(line.endMs));
            if (end > start)
                line.phases.push_back({ RunPhase::Pause, start, end });
        }
    }

    void findStalls(RunTimeline& line)
    {
        std::vector<double> lengths;
        for (const TokenStep& step : line.steps)
            if (step.stepMs && !step.hasPause)
                lengths.push_back(*step.stepMs);
        line.medianStepMs = percentile(std::move(lengths), 0.5);
        if (!line.medianStepMs)
            return;
        const double limit
            = std::max(kStallLimits.leastMs, kStallLimits.medianFactor * *line.medianStepMs);
        for (TokenStep& step : line.steps) {
            step.isStall = step.stepMs && !step.hasPause && *step.stepMs > limit;
            line.stallCount += step.isStall;
        }
    }
}

std::optional<double> RunTimeline::phaseMs(RunPhase kind) const
{
    Moment sum;
    for (const TimelinePhase& phase : phases)
        if (phase.kind == kind)
            sum = sum.value_or(0) + phase.endMs - phase.startMs;
    return sum;
}

std::optional<int> RunTimeline::batchMates() const
{
    if (passes.empty())
        return std::nullopt;
    int most = 0;
    for (const TimelinePass& pass : passes)
        most = std::max(most, pass.pass.sequenceCount - 1);
    return most;
}

int RunTimeline::passOf(int token) const
{
    const auto found = token < 0 ? passes.end() : std::ranges::find(passes, token, &TimelinePass::token);
    return found == passes.end() ? -1 : int(found - passes.begin());
}

RunTimeline runTimeline(const Draft& draft)
{
    const engine::RunTiming timing = draft.ending() ? draft.ending()->timing : engine::RunTiming {};
    RunTimeline line;
    line.steps = stepsOf(draft);
    line.passes = passesOf(draft);
    line.prompt = draft.origin().promptTimes;
    if (draft.startedMs())
        line.savingMs = std::max(0.0,
            *draft.startedMs() - line.prompt.templateMs.value_or(0)
                - line.prompt.tokenizeMs.value_or(0));
    line.endMs = lastKnownMs(line, timing);
    line.hasPauses = draft.startedMs().has_value();
    addPreparation(line, draft);
    addPhases(line, timing);
    addPauses(line, draft, timing);
    findStalls(line);
    std::vector<double> deliveries;
    for (const TokenStep& step : line.steps)
        if (step.deliveryMs)
            deliveries.push_back(*step.deliveryMs);
    line.medianDeliveryMs = percentile(deliveries, 0.5);
    line.slowDeliveryMs = percentile(std::move(deliveries), 0.99);
    addMoments(line, draft, timing);
    if (const Moment painted = difference(draft.startedMs(), draft.firstOutputMs()))
        line.firstPaintDelayMs = difference(firstDecided(line), painted);
    return line;
}

std::optional<double> percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return std::nullopt;
    const double rank = std::ceil(share * double(values.size()));
    const auto place = std::ptrdiff_t(std::clamp(rank, 1.0, double(values.size()))) - 1;
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[size_t(place)];
}

} // namespace app
