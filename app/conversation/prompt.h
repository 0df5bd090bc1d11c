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
};

/// The messages of the shown branch as a template wants them: neighbours of one role are joined by
/// an empty line (a failed answer without text must not dead-end a chat), answers are plain data.
nlohmann::ordered_json templateMessages(
    const Conversation& conversation, size_t turnCount, const QString& newText);

/// Formats the first turnCount turns and a new message ("" = none) for the model.
/// Errors: BadTemplate when the file's template is not usable and no family is chosen; those of
/// ChatTemplate::render. now: for templates that write the date.
engine::Result<FormattedPrompt> formatChat(const engine::ModelText& model,
    const Conversation& conversation, size_t turnCount, const QString& newText,
    std::chrono::sys_seconds now);

/// Plain text to be written on: BOS by the file's rule, nothing else added.
FormattedPrompt formatPlainText(const engine::ModelText& model, const QString& text);

/// The system text a template adds when a person gives none ("" if none), for showing.
QString systemTextFromTemplate(const engine::ModelText& model, const ChatSettings& settings);

} // namespace app
