#pragma once

#include "engine/chat/chat_template.h"

#include <string>
#include <vector>

namespace engine {

/// The role markers in what a template wrote by itself, each once, in order: "<|im_start|>",
/// "<turn|>", "<｜User｜>", "<start_of_turn>", "<s>", "[INST]". Tags that templates use as ordinary
/// words ("<think>", "<tools>") are none.
std::vector<std::string> roleMarkers(const RenderedPrompt& prompt);

/// "[INST]" and its like: some vocabularies have tokens for these, others write them as plain text.
bool isBracketMarker(const std::string& marker);

} // namespace engine
