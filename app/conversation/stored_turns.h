#pragma once

#include "app/conversation/turn_tree.h"

namespace app {

/// The tree of a chat that was read from the store. Drafts come without their tokens.
TurnTree turnsOf(const StoredChat& chat);

/// The row of a turn.
StoredMessage storedMessage(const Turn& turn, ConversationId conversation, bool isShown);

} // namespace app
