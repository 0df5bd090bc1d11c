#pragma once

#include "app/conversation/conversation.h"
#include "engine/session/model_event.h"

#include <chrono>
#include <optional>

namespace app {

/// A prompt ready for the engine, and what it was made from.
struct FormattedPrompt {
    engine::TokenIds ids;
    std::string text;
    std::string templateName; ///< "from the file", "ChatML (chosen)", "none (plain text)"
    nlohmann::ordered_json messages; ///< what the template was given; null for plain text
    std::optional<std::string> templateFamily; ///< "own", "ChatML", ...; none for plain text
    std::optional<std::string> templateSource;
    size_t droppedTurnCount = 0; ///< first turns that were left out
};

/// What of a conversation goes into a prompt: turns of the shown branch and a new message.
struct PromptExtent {
    size_t firstTurn = 0; ///< those before it are left out
    size_t turnCount = 0; ///< those left out included
    QString newText; ///< "" = none
};

/// Room in the context, in tokens.
struct PromptRoom {
    size_t contextLength = 0;
    size_t draftTokenCount = 0; ///< ids that follow the prompt: the answer's beginning
    size_t lengthCap = 0; ///< new tokens wished for
};

/// The messages of the shown branch as a template wants them: neighbours of one role are joined by
/// an empty line (a failed answer without text must not dead-end a chat), answers are plain data.
nlohmann::ordered_json templateMessages(
    const Conversation& conversation, const PromptExtent& extent);

/// Formats turns and a new message for the model.
/// Errors: BadTemplate when the file's template is not usable and no family is chosen; those of
/// ChatTemplate::render. now: for templates that write the date.
engine::Result<FormattedPrompt> formatChat(const engine::ModelText& model,
    const Conversation& conversation, const PromptExtent& extent, std::chrono::sys_seconds now);

/// The same, by the conversation's context policy: DropOldestTurns leaves out the fewest of the
/// oldest messages, each with its answers, that make room for min(lengthCap, a quarter of the
/// context) new tokens. The system text and the last message always stay: with these alone one
/// new token is room enough. Whether the result fits is for the caller to see.
engine::Result<FormattedPrompt> formatToFit(const engine::ModelText& model,
    const Conversation& conversation, const PromptExtent& extent, const PromptRoom& room,
    std::chrono::sys_seconds now);

/// Plain text to be written on: BOS by the file's rule, nothing else added.
FormattedPrompt formatPlainText(const engine::ModelText& model, const QString& text);

/// The system text a template adds when a person gives none ("" if none), for showing.
QString systemTextFromTemplate(const engine::ModelText& model, const ChatSettings& settings);

} // namespace app
