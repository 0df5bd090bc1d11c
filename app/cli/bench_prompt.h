#pragma once

#include "engine/session/model_event.h"

namespace app {

/// Ordinary words in an order that does not repeat soon, cut to so many tokens; `run --raw` with
/// the same text reads the same ids. Prompts of different seeds share no long prefix.
/// Error BadRequest when the model's vocabulary makes fewer tokens of them.
engine::Result<engine::TokenIds> benchPrompt(
    const engine::ModelText& model, int tokenCount, uint32_t seed = 1);

} // namespace app
