#pragma once

#include "app/compare/cache_question.h"
#include "engine/session/model_event.h"

namespace app {

/// A text as a prompt of this model: what its KV cache would be computed by.
CachedPrompt cachedPrompt(const engine::ModelLoaded& model, const std::string& text);

/// Positions of a page of the cache.
int cachePageLength();

} // namespace app
