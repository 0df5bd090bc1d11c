#pragma once

#include "app/conversation/chat_file.h"
#include "engine/base/result.h"

#include <functional>
#include <string>

namespace app {

class Storage;

/// JSON of a whole conversation: "format": "tokenglass-chat", its source texts with their
/// SHA-256, its tree of messages, under each
/// answer its runs with their records, prompt ids and tokens. UTF-8; text that is none is written
/// as {"hex": "…"}, a number that is none as "nan", "inf" or "-inf".
std::string chatToJson(const ChatFile& file);

/// Reads a conversation and everything of its runs; the answer comes on the GUI thread.
void readChatFile(Storage& storage, ConversationId id, const QString& folderName,
    std::function<void(engine::Result<ChatFile>)> answer);

} // namespace app
