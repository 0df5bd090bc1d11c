#pragma once

#include "app/compare/compared_run.h"
#include "engine/tokenizer/tokenizer.h"

namespace app {

/// How to run a finished run once more, token for token.
struct RunReplay {
    /// One after the other: a token that nobody sampled ends a piece and is given to the next one.
    std::vector<engine::GenerationRequest> requests;
    /// Of each: the first token of the run that it chooses.
    std::vector<size_t> firstTokens;
};
/// None where the record does not tell the prompt's ids or the settings.
std::optional<RunReplay> replayOf(const ComparedRun& run);

/// Where a run and its replay part.
struct ReplayDifference {
    size_t token = 0; ///< among the new ones
    engine::TokenRecord recorded;
    std::optional<engine::TokenRecord> replayed; ///< none: the replay ended before it
};
/// None: every token is the same.
std::optional<ReplayDifference> firstDifference(
    const ComparedRun& run, const std::vector<engine::TokenRecord>& replayed);

/// Bytes of the draft that a recorded run continued: its record tells only their ids. tokenizer: of the model that wrote it.
void takeDraftPieces(ComparedRun& run, const engine::Tokenizer& tokenizer);

/// What ended a run must follow from its tokens and the stop settings it tells: "" or what does not.
/// Nothing is said of a run with stop strings that continued a draft whose pieces are not there.
std::string contradictionOf(const ComparedRun& run);

/// The SHA-256 of the vocabulary whose ids a record holds; "": not recorded.
std::string vocabularyHashOf(const nlohmann::ordered_json& record);

} // namespace app
