#pragma once

#include "app/conversation/conversation.h"

#include <string>

namespace app {

/// The shown branch of a conversation as Markdown, with a line under each answer that says how it
/// ended. What was said is quoted, so that a fence or tag that was left open in it cannot swallow
/// that line. Source texts are listed, with the SHA-256 by which each can be known. A page is its
/// text. UTF-8.
std::string chatMarkdown(const Conversation& conversation);

} // namespace app
