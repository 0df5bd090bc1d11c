#pragma once

#include "engine/chat/jinja/value.h"

/// Continuing a message: a mark is put behind its text, the template renders it like any text, and
/// the prompt is cut where the mark came out. The mark is known by its origin, so that nobody can
/// forge it. Source: the rules of transformers' continue_final_message.
namespace engine::jinja {

/// The messages with the mark behind the last one's text, and that text.
struct MarkedMessages {
    Value messages;
    Text finalText;
};
/// Errors: BadRequest when there is no text to continue.
Result<MarkedMessages> withResumeMark(Meter& meter, const Value& messages);

/// The prompt up to the mark; where the template trimmed the text, without its trailing blanks.
/// Error: BadRequest when the template dropped the text or the mark.
Result<Text> cutAtResumeMark(const Text& prompt, const Text& finalText);

} // namespace engine::jinja
