#pragma once

#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QString>

// For the cases of cases.md that ask SmolLM2 through the command line.

#define VERIFY_CONTRACT(run)                                                                       \
    QVERIFY2((run).contractFaults().empty(), (run).contractFaults().c_str())
#define COMPARE_RUN(actual, expected, run) QVERIFY2((actual) == (expected), (run).summary().c_str())

namespace tests {

constexpr const char* kCountingPrompt = "Count from 1 to 10, separated by commas.";

/// The answer to it is certain up to "..., 8, 9, 10", 29 tokens. What follows, an end token or a
/// comma, is a matter of 0.02 in log-probability in float32 (greedy, engine/reference); kernels
/// with 8-bit activations see 0.19 in favour of the comma, so cases.md goes on to "..., 17, 18, 1".
constexpr int kDecidedCap = 29;

/// The model's path; empty when it is absent (skip with kNoModel then).
inline QString smollm2Path()
{
    const auto model = realModel(kSmolLM2);
    return model ? QString::fromStdString(model->string()) : QString();
}

/// `run --json` at temperature 0 with the model's own template.
inline GenerationRun greedyRun(
    const QString& model, const char* prompt, int cap, const QStringList& more = {})
{
    return generate(QStringList { "--model", model, "--prompt", prompt, "--temperature", "0",
                        "--max-tokens", QString::number(cap) }
        + more);
}

} // namespace tests
