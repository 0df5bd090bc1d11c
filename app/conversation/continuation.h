#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace app {

/// Ids of text that follows other text at once: without the blank that some vocabularies put before
/// the first word of a prompt. Control tokens written out stay text. Any thread.
engine::TokenIds continuationIds(const engine::Tokenizer& tokenizer, const std::string& text);

} // namespace app
