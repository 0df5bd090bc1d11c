#pragma once

#include <QChar>

namespace app {

/// Whether the sign is of a script that parts no words by blanks.
inline bool isWrittenWithoutBlanks(char32_t sign)
{
    switch (QChar::script(sign)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Thai:
    case QChar::Script_Lao:
    case QChar::Script_Khmer:
    case QChar::Script_Myanmar:
        return true;
    default:
        return false;
    }
}

} // namespace app
