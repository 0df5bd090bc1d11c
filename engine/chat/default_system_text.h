#pragma once

#include "engine/chat/chat_template.h"

#include <string>

namespace engine {

/// The text of the system message that a template writes by itself when a chat has none; empty when
/// it writes none. Found by rendering a chat with and without a system message.
/// request: bos and eos token, clock; its messages are replaced.
std::string defaultSystemText(const ChatTemplate& chatTemplate, RenderRequest request);

} // namespace engine
