#pragma once

#include "app/runs/kept_tokens.h"
#include "app/runs/run_reading.h"
#include "engine/tokenizer/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// A finished run as comparing sees it: a value of its own, which needs no model.
struct ComparedRun {
    std::string modelName;
    std::string checkpointFile;
    std::optional<uint64_t> checkpointBytes;
    std::string deviceName;
    std::string templateFamily; ///< "" = plain text, or not known
    std::string promptText;
    /// Prompt ids, settings, caps and stop strings; none: not reported.
    std::optional<engine::GenerationRequest> request;
    std::optional<int> contextLength;
    std::vector<std::string> draftPieces; ///< bytes of the tokens it was given of a continued draft
    std::vector<engine::TokenRecord> tokens; ///< the new ones
    /// Where several runs wrote them: which settings chose from which token on. Empty: request's.
    std::vector<KeptTokens::Run> choosers;
    std::string text; ///< as it was shown
    engine::TokenIds endTokenIds; ///< that end an answer of this model
    std::optional<engine::StopReason> reason; ///< none: not closed, or not known
    engine::Ledger ledger;
    engine::RunTiming timing;

    bool operator==(const ComparedRun&) const = default;

    engine::TokenIds newIds() const;
    /// What chose this new token; null where that is not known.
    const engine::SamplerSettings* samplingAt(size_t token) const;
    /// Ids that could not be this new token, though they could be others.
    engine::TokenIds bannedIdsAt(size_t token) const;
};

/// From the parts of a record. tokens: with bytes, in order.
ComparedRun comparedRun(const RunReading& reading, std::vector<engine::TokenRecord> tokens);

/// Lets a run begin where its answer does: all of the answer's tokens are new ones, and promptIds are
/// what stood before them. Caps count from there. The run must have a request.
void beginAtAnswer(ComparedRun& run, engine::TokenIds promptIds, KeptTokens all);
/// The same of a run that was given the beginning of its answer at the end of its prompt, as a fork
/// is. Of those tokens only the ids are known, and by tokenizer (null: not at hand) their bytes.
void beginAtAnswer(ComparedRun& run, const engine::Tokenizer* tokenizer);

/// What its terminal event told, but for the text.
void takeEnding(ComparedRun& run, const engine::RunEnded& ending);

/// Of the same model file, as far as name and size tell: ids mean the same words.
bool isSameFile(const ComparedRun& a, const ComparedRun& b);

} // namespace app
