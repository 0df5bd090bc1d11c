#pragma once

#include "app/conversation/chat_file.h"
#include "app/storage/storage.h"

#include <random>

namespace tests {

/// A conversation with a random tree: branches, several runs in an answer, texts that are no plain
/// text. Numbers count up from firstId.
app::ChatFile randomChat(std::mt19937& random, int64_t firstId);
/// Two questions, an answer of two runs, and a sibling: every field of the format is in it.
app::ChatFile smallChat();
/// The same conversation with messages and runs numbered 1, 2, 3, ..., for comparing two of them.
app::ChatFile numbered(app::ChatFile file);
/// Writes it and reads it back; fails the test where that fails.
app::ChatFile keptAndRead(app::Storage& storage, const app::ChatFile& file);
app::ChatFile readFrom(app::Storage& storage, app::ConversationId id, const QString& folderName);

} // namespace tests
