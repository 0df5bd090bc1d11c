#pragma once

#include "app/conversation/source_text.h"
#include "app/conversation/turn_tree.h"

namespace app {

/// The tree of a chat that was read from the store. Drafts come without their tokens.
TurnTree turnsOf(const StoredChat& chat);

/// Its source texts, by id.
std::vector<SourceText> sourcesOf(const StoredChat& chat);

/// The rows of a turn and of a source text.
StoredMessage storedMessage(const Turn& turn, ConversationId conversation, bool isShown);
StoredSource storedSource(const SourceText& source, ConversationId conversation);

} // namespace app
