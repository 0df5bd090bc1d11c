#pragma once

#include "app/runs/grid_place.h"
#include "app/runs/prompt_span.h"
#include "app/runs/window_times.h"
#include "engine/session/generation_event.h"
#include "engine/session/model_event.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app {

/// A source text as a prompt held it.
struct RecordedSource {
    std::string name;
    std::string sha256; ///< of its text
    std::optional<int> tokenCount; ///< of its text by itself
    /// Bytes of the formatted prompt that are its text; none: the template changed it.
    std::optional<size_t> promptStart;
    std::optional<size_t> promptEnd;

    bool operator==(const RecordedSource&) const = default;
};

/// Everything known of a run before its first token.
struct RunOpening {
    engine::ModelDescription model;
    const engine::ModelText* text = nullptr; ///< borrowed for the call
    engine::GenerationRequest request;
    nlohmann::ordered_json messages; ///< null: plain text, no chat
    std::string contextPolicy; ///< its name; "": none applies, as in plain text
    int droppedMessageCount = 0; ///< left out of the prompt by that policy
    std::optional<std::vector<RecordedSource>> sources; ///< none: no chat of the window
    std::string promptText; ///< the formatted prompt
    RecordedSpans promptSpans; ///< whose words it is
    std::optional<std::string> templateFamily; ///< "own", "ChatML", ...; none: plain text
    std::optional<std::string> templateSource; ///< the Jinja text that was used
    std::optional<GridPlace> grid; ///< none: it was asked for by itself
    std::string startedBy; ///< "person", "grid", "worksheet", "command_line", "import"
    std::string openedAt; ///< ISO 8601, UTC; "": now
    std::optional<std::string> checkpointHash; ///< SHA-256 of the model file, where it is known
    /// Of text's vocabulary, where it was computed before; else it is computed here.
    std::optional<std::string> vocabularyHash;
};

/// The document of one run, schema 1 of DESIGN.md section 6: opened before the first token, fed
/// with the run's events, closed by the terminal one. What was not observed is null.
class RunRecord {
public:
    static constexpr int kSchema = 1;

    explicit RunRecord(const RunOpening& opening);

    void apply(const engine::GenerationEvent& event);
    /// For a record whose tokens are kept elsewhere: takes note of one without keeping it.
    void countToken(const engine::TokenRecord& token);
    /// Once it is known: hashing a model file takes longer than many a run.
    void setCheckpointSha256(const std::string& hexDigits);
    /// What the window observed; after the terminal event.
    void setWindowTimes(const WindowTimes& times);
    /// For a record whose events were not all applied: its passes, in the form of the database.
    void packPasses(std::span<const engine::RunPass> passes);

    /// How the answer stands to what was asked of it (app/compare/requirement_check.h).
    void setRequirementCheck(nlohmann::ordered_json check)
    {
        m_json["requirement_check"] = std::move(check);
    }

    /// As the database keeps it: without the prompt and the tokens, which have columns of their
    /// own.
    std::string withoutPromptAndTokens() const;

    /// That a person accepted the answer for use (app/conversation/acceptance.h); null: nobody did.
    void setAccepted(nlohmann::ordered_json accepted) { m_json["accepted"] = std::move(accepted); }

    bool isClosed() const { return m_json["stop"].is_object(); }
    const nlohmann::ordered_json& json() const { return m_json; }

private:
    void applyTo(const engine::RunQueued&) { }
    void applyTo(const engine::PrefillProgress& progress);
    void applyTo(const engine::RunPaused&);
    void applyTo(const engine::RunResumed&) { }
    void applyTo(const engine::TokenDecoded& decoded);
    void applyTo(const engine::TextReleased& released);
    void applyTo(const engine::RunEnded& ended);

    nlohmann::ordered_json m_json;
    std::vector<engine::RunPass> m_passes;
    int m_notSampledCount = 0;
};

/// This moment as records write it: ISO 8601, UTC.
std::string isoNow();
/// SHA-256 over the whole table: kind, length and bytes of each piece, in the order of ids.
std::string vocabularySha256(const engine::Vocabulary& vocabulary);
std::string sha256Hex(std::string_view bytes);
/// Error Io when the file cannot be read to its end.
engine::Result<std::string> fileSha256Hex(const std::string& path);

} // namespace app
