#include "app/cli/bench_runs.h"

#include "app/cli/bench_prompt.h"
#include "app/runs/run_record.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

using engine::Error;
using engine::Result;

namespace app {

namespace {
    double processCpuMs()
    {
        rusage usage {};
        getrusage(RUSAGE_SELF, &usage);
        const auto ms = [](const timeval& time) {
            return double(time.tv_sec) * 1000.0 + double(time.tv_usec) / 1000.0;
        };
        return ms(usage.ru_utime) + ms(usage.ru_stime);
    }

    void append(std::vector<double>& all, const std::vector<double>& more)
    {
        all.insert(all.end(), more.begin(), more.end());
    }
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Result<BenchRun> BenchRuns::run(
    const engine::TokenIds& promptIds, int decodeTokenCount, bool isInspected, engine::TraceLog* trace)
{
    engine::GenerationRequest request;
    request.runId = ++m_lastRunId;
    request.promptIds = promptIds;
    request.sampling.temperature = 0;
    request.lengthCap = decodeTokenCount;
    request.ignoreEndTokens = true;
    request.isInspected = isInspected;
    RunRecord record({
        .model = m_model.description,
        .text = m_model.text.get(),
        .request = request,
        .promptText = m_model.text->tokenizer->decode(promptIds),
        .startedBy = "command_line",
    });
    using Clock = std::chrono::steady_clock;
    BenchRun run;
    std::optional<double> cpuMsAtFirstToken;
    std::optional<Clock::time_point> lastToken;
    const auto onEvent = [&](const engine::GenerationEvent& event) {
        if (std::holds_alternative<engine::TokenDecoded>(event)) {
            const Clock::time_point now = Clock::now();
            if (lastToken)
                run.tokenMs.push_back(
                    std::chrono::duration<double, std::milli>(now - *lastToken).count());
            else
                cpuMsAtFirstToken = processCpuMs();
            lastToken = now;
        }
        record.apply(event);
    };
    const engine::RunEnded ended = m_engine.run(request, onEvent, trace);
    const double cpuMsAtEnd = processCpuMs();
    if (ended.ledger.error)
        return *ended.ledger.error;
    if (ended.ledger.reason != engine::StopReason::LengthCap)
        return Error::cancelled(
            std::string("ended early: ") + engine::stopReasonInfo(ended.ledger.reason).words);
    const engine::RunTiming& timing = ended.timing;
    run.readMs = timing.prefillEndMs.value_or(0) - timing.prefillStartMs.value_or(0);
    run.firstTokenMs = timing.firstTokenMs.value_or(0);
    run.writeMs = timing.endedMs.value_or(0) - run.firstTokenMs;
    run.writeCpuMs = cpuMsAtEnd - cpuMsAtFirstToken.value_or(cpuMsAtEnd);
    run.decodePassCount = ended.decodePassCount;
    run.reusedTokens = ended.cache.reusedTokens;
    run.tokenIds = ended.tokenIds;
    return run;
}

Result<ContextReport> measureContext(
    BenchRuns& runs, int contextTokens, int decodeTokenCount, int roundCount)
{
    const engine::ModelText& text = *runs.model().text;
    TRY_ASSIGN(const engine::TokenIds full, benchPrompt(text, contextTokens, 2));
    const engine::TokenIds empty { full.front() };
    ContextReport report { .contextTokens = contextTokens };
    std::vector<double> emptyMs;
    std::vector<double> fullMs;
    for (int round = 0; round < roundCount; ++round) {
        // Only the first reads the context: from then on its pages are found again.
        TRY_ASSIGN(const BenchRun atEnd, runs.run(full, decodeTokenCount));
        TRY_ASSIGN(const BenchRun atStart, runs.run(empty, decodeTokenCount));
        if (round == 0)
            report.coldFirstTokenMs = atEnd.firstTokenMs;
        append(fullMs, atEnd.tokenMs);
        append(emptyMs, atStart.tokenMs);
    }
    report.emptyMsPerToken = medianOf(emptyMs);
    report.fullMsPerToken = medianOf(fullMs);

    std::vector<double> reusedMs;
    for (int round = 0; round < roundCount; ++round) {
        // Another end each time, so that nothing but the prefix is known.
        TRY_ASSIGN(
            const engine::TokenIds other, benchPrompt(text, contextTokens, 3 + uint32_t(round)));
        engine::TokenIds changed = full;
        const int fresh = std::min(ContextReport::kFreshTokens, contextTokens - 1);
        std::copy(other.end() - fresh, other.end(), changed.end() - fresh);
        TRY_ASSIGN(const BenchRun run, runs.run(changed, 1));
        reusedMs.push_back(run.firstTokenMs);
        report.reusedTokens = run.reusedTokens;
    }
    report.reusedFirstTokenMs = medianOf(reusedMs);
    return report;
}

Result<InspectionReport> measureInspection(
    BenchRuns& runs, const engine::TokenIds& promptIds, int decodeTokenCount, int roundCount)
{
    std::vector<double> on;
    std::vector<double> off;
    // Short runs in quick turns, so that what else the machine does meets both alike.
    const int turnTokens = std::min(decodeTokenCount, 9);
    const int turnCount = roundCount * decodeTokenCount / turnTokens;
    for (int turn = 0; turn < turnCount; ++turn)
        for (const bool isInspected : { turn % 2 == 0, turn % 2 == 1 }) {
            TRY_ASSIGN(const BenchRun run, runs.run(promptIds, turnTokens, isInspected));
            append(isInspected ? on : off, run.tokenMs);
        }
    return InspectionReport { medianOf(on), medianOf(off) };
}

} // namespace app
