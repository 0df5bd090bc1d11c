#pragma once

#include "engine/session/loaded_model.h"

namespace app {

struct BenchSequencesOptions {
    std::string modelPath;
    std::string deviceWish; ///< UUID or part of a name; "" = best
    int sequenceCount = 0; ///< 1 to 8
    int decodeTokenCount = 48;
    int roundCount = 3;
};

/// Several answers written side by side, each pass taking one row of every sequence, against one
/// answer alone: passes, choice of tokens and inspection data, without tokenizer and window.
struct SequencesReport {
    int sequenceCount = 0;
    double tokensPerSecond = 0; ///< of all together
    double aloneTokensPerSecond = 0;
    std::string device;
};

/// Opens the model for itself. Errors: those of opening it; Cancelled.
engine::Result<SequencesReport> measureSequences(
    const BenchSequencesOptions& options, const std::function<bool()>& interrupted);

} // namespace app
