#pragma once

#include "engine/chat/template_choice.h"

#include <string>

namespace app {

enum class PromptFormatKind {
    AsChat, ///< the file's own template where it is usable, else the family that the chat has chosen
    Own, ///< the file's own
    Family, ///< a built-in one, whatever the file offers
    None, ///< what is said as plain text, without roles
};

/// What writes the messages of one run as a prompt.
struct PromptFormat {
    PromptFormatKind kind = PromptFormatKind::AsChat;
    engine::TemplateFamily family = engine::TemplateFamily::ChatML; ///< of the kind Family

    bool operator==(const PromptFormat&) const = default;
};

} // namespace app
