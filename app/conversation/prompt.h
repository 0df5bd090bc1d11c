#pragma once

#include "app/conversation/prompt_parts.h"
#include "engine/session/model_event.h"

#include <chrono>
#include <optional>

namespace app {

/// A prompt ready for the engine, and what it was made from.
struct FormattedPrompt {
    engine::TokenIds ids;
    std::string text;
    std::string templateName; ///< "from the file", "ChatML (chosen)", "none (plain text)"
    nlohmann::ordered_json messages; ///< what it was made of; null for plain text that was typed
    std::optional<std::string> templateFamily; ///< "own", "ChatML", ...; none for plain text
    std::optional<std::string> templateSource;
    size_t droppedTurnCount = 0; ///< first turns that were left out
    PromptTimes times; ///< of this text, not of others that were tried before it
    RecordedSpans spans; ///< whose words text is
    std::vector<RecordedSource> sources;
};

/// Room in the context, in tokens.
struct PromptRoom {
    size_t contextLength = 0;
    size_t draftTokenCount = 0; ///< ids that follow the prompt: the answer's beginning
    size_t lengthCap = 0; ///< new tokens wished for
};

/// Tokens of a source text by itself. Any thread.
int countTokens(const engine::ModelText& model, const SourceText& source);

/// Formats the turns from this one on for the model, by the format that parts ask for.
/// Errors: BadTemplate when the file's template is wanted and not usable, or there is none to use;
/// those of ChatTemplate::render. now: for templates that write the date. Any thread.
engine::Result<FormattedPrompt> formatChat(const engine::ModelText& model, const PromptParts& parts,
    size_t firstTurn, std::chrono::sys_seconds now);

/// The same, by the context policy: DropOldestTurns leaves out the fewest of the oldest messages,
/// each with its answers, that make room for min(lengthCap, a quarter of the context) new tokens.
/// The system text, the source texts and the last message always stay: with these alone one new
/// token is room enough. Whether the result fits is for the caller to see. Source texts whose
/// tokens are not known are counted. Any thread.
engine::Result<FormattedPrompt> formatToFit(const engine::ModelText& model, PromptParts parts,
    const PromptRoom& room, std::chrono::sys_seconds now);

/// Plain text to be written on: BOS by the file's rule, nothing else added.
FormattedPrompt formatPlainText(const engine::ModelText& model, const QString& text);

/// Says of a prompt whose ids are known already what wrote it. family: as a record names it, "" = no
/// template did.
void takeTemplate(
    FormattedPrompt& prompt, const engine::ModelText& model, const std::string& family);

/// The system text a template adds when a person gives none ("" if none), for showing.
QString systemTextFromTemplate(const engine::ModelText& model, const ChatSettings& settings);

} // namespace app
