#pragma once

#include "app/cli/command_engine.h"

#include <vector>

namespace app {

/// What one run of a benchmark took. Times in milliseconds.
struct BenchRun {
    double readMs = 0; ///< of the prompt tokens that were not reused
    double firstTokenMs = 0; ///< from submission to the first token
    double writeMs = 0; ///< from the first token to the end
    double writeCpuMs = 0; ///< of all threads of the process meanwhile: the software device is some
    int decodePassCount = 0;
    int reusedTokens = 0;
    engine::TokenIds tokenIds;
    std::vector<double> tokenMs; ///< from each token to the next, as they arrive

    double cpuMsPerToken() const { return decodePassCount > 0 ? writeCpuMs / decodePassCount : 0; }
};

/// Runs greedy requests on an open model, end tokens ignored and each with a record, as `run`
/// does.
class BenchRuns {
public:
    BenchRuns(CommandEngine& engine, const engine::ModelLoaded& model)
        : m_engine(engine)
        , m_model(model)
    {
    }

    /// trace: gets the spans of the run. Errors: what made the run fail; Cancelled when it ended otherwise than by its cap.
    engine::Result<BenchRun> run(
        const engine::TokenIds& promptIds, int decodeTokenCount, bool isInspected = true,
        engine::TraceLog* trace = nullptr);

    const engine::ModelLoaded& model() const { return m_model; }

private:
    CommandEngine& m_engine;
    const engine::ModelLoaded& m_model;
    engine::RunId m_lastRunId = 0;
};

/// Decode steps with a long context (medians over all steps of all rounds) against steps without
/// one, and how soon a first token comes when most of a prompt is known.
struct ContextReport {
    int contextTokens = 0;
    double emptyMsPerToken = 0;
    double fullMsPerToken = 0;
    double coldFirstTokenMs = 0; ///< nothing of the context known
    double reusedFirstTokenMs = 0; ///< all but the last kFreshTokens known
    int reusedTokens = 0;

    static constexpr int kFreshTokens = 96;
};
engine::Result<ContextReport> measureContext(
    BenchRuns& runs, int contextTokens, int decodeTokenCount, int roundCount);

/// Decode steps with the full inspection data of every token against steps without: medians over
/// all steps, for one that the machine interrupts costs more than the difference.
struct InspectionReport {
    double onMsPerToken = 0;
    double offMsPerToken = 0;
    double difference() const { return offMsPerToken > 0 ? onMsPerToken / offMsPerToken - 1 : 0; }
};
engine::Result<InspectionReport> measureInspection(
    BenchRuns& runs, const engine::TokenIds& promptIds, int decodeTokenCount, int roundCount);

double medianOf(std::vector<double> values);

} // namespace app
