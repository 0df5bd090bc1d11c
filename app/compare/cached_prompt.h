#pragma once

#include "app/compare/cache_question.h"
#include "engine/session/model_event.h"

namespace app {

/// A text as a prompt of this model: what its KV cache would be computed by.
CachedPrompt cachedPrompt(const engine::ModelLoaded& model, const std::string& text);

/// A text as a prompt of words, for where no model says which tokens it is: a word with the spaces
/// before it stands for a token, its id is its place in `words`, which grows. By what it would be
/// computed is not known.
CachedPrompt wordPrompt(const std::string& text, std::vector<std::string>& words);

/// Positions of a page of the cache.
int cachePageLength();

} // namespace app
