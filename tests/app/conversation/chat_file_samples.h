#pragma once

#include "app/conversation/chat_file.h"
#include "app/storage/storage.h"

#include <random>

namespace tests {

/// A conversation with a random tree: branches, several runs in an answer, texts that are no plain
/// text. Numbers count up from firstId.
app::ChatFile randomChat(std::mt19937& random, int64_t firstId);
/// Two questions, an answer of two runs, a sibling, and a source text: every field of the format is
/// in it.
app::ChatFile smallChat();
app::StoredSource source(
    app::SourceId id, app::ConversationId conversation, const QString& name, const QString& text);
/// The same conversation with messages, runs and sources numbered 1, 2, 3, ..., for comparing two
/// of them.
app::ChatFile numbered(app::ChatFile file);
/// Writes it and reads it back; fails the test where that fails.
app::ChatFile keptAndRead(app::Storage& storage, const app::ChatFile& file);
app::ChatFile readFrom(app::Storage& storage, app::ConversationId id, const QString& folderName);

} // namespace tests
