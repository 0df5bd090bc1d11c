#pragma once

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QStringList>

#include <string>
#include <vector>

namespace tests {

/// What one start of the program left behind.
struct ProgramRun {
    int exitCode = -1; ///< -1: crashed, did not start or ran into the time limit
    QByteArray output;
    QByteArray errors;
};

/// Starts the tokenglass program of this build, feeds it input and waits for its end.
ProgramRun runProgram(
    const QStringList& arguments, const QByteArray& input = {}, int limitMs = 240'000);

/// The JSON lines of one `tokenglass run --json`.
struct GenerationRun {
    ProgramRun program;
    std::vector<nlohmann::json> prefills;
    std::vector<nlohmann::json> tokens;
    std::vector<std::string> deltas; ///< text of each token and text event, in the order it came
    nlohmann::json ended; ///< null when there was none

    std::string text() const; ///< of the terminal event
    std::string stopReason() const; ///< its name
    std::string verdict() const;
    std::vector<int> tokenIds() const;
    std::vector<int> promptTokenIds() const;

    /// Where the lines break the contract that every run keeps, in sentences; "" when they keep it:
    /// one terminal event, the last line; deltas joined are its text; token events in order,
    /// partial, their ids those of the terminal event; log-probabilities not above zero, the chosen
    /// token among the top.
    std::string contractFaults() const;
    /// All of it in one line, for the message of a failed check.
    std::string summary() const;
};

/// Runs `tokenglass run --json` with these arguments added.
GenerationRun generate(const QStringList& arguments);

} // namespace tests
