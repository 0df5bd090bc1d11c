#pragma once

#include "engine/session/model_event.h"

namespace engine {

/// The text side of a model file: its tokenizer and what it offers for chatting. A template that
/// cannot be used is no error: the offer says why. Errors: those of Tokenizer::create.
Result<std::shared_ptr<const ModelText>> readModelText(const GgufFile& file);

} // namespace engine
