#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"
#include "engine/reference/token_scores.h"

#include <string>
#include <vector>

namespace app {

struct ScoreOptions {
    std::string modelPath;
    std::string deviceUuid; ///< "" = best by the ranking
    bool reference = false; ///< compute on the CPU with engine/reference
};

/// One way to score tokens with a model. runScoreCommand chooses it by the options.
using Scorer = engine::Result<engine::TokenScores> (*)(
    const ScoreOptions& options, const engine::TokenIds& tokens);

/// `tokenglass score --model F`: reads {"token_ids": [...]} from stdin, writes
/// {"argmax": [...], "logprob_of_next": [...], "last_logits": [...]}: the likeliest next id after
/// each token, the log-probability (nats) of each token but the first, the logits after the last.
int runScoreCommand(const std::vector<std::string>& words);

} // namespace app
