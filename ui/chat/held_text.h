#pragma once

#include "app/conversation/draft.h"

#include <QString>

namespace ui {

/// What a draft holds back, and why: text that may still become a stop string, and the bytes of a
/// character that is not whole yet.
struct HeldText {
    QString shown; ///< after the released text, as a ghost: never part of the answer
    QString words; ///< "2 of 4 bytes of ‘5, 6’ held back"

    bool operator==(const HeldText&) const = default;
};

/// Of a draft under way, or the bytes of a character that an ended one left unfinished.
HeldText heldText(const app::Draft& draft);

/// Line breaks and tabs as signs (⏎, ⇥) and lone bytes as ⟨F0⟩: all of it can be seen in one line.
QString visibleText(const std::string& utf8);

} // namespace ui
