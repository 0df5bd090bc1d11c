#pragma once

namespace app {

/// Chat uses the template and turns; plain text is one document that is written on from the caret.
enum class ConversationKind { Chat, PlainText };

/// Who a turn belongs to.
enum class TurnRole { Person, Model };

} // namespace app
