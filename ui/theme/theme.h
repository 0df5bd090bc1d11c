#pragma once

#include <QColor>
#include <QPalette>

class QWidget;

namespace ui {

/// What a colour means; never the only sign of it.
enum class Tone { Neutral, Accent, Good, Caution, Danger };

/// The colours of this program as roles, derived from a palette so that light, dark and a person's
/// own palettes work. Text roles have a contrast of at least 4.5 to 1 on the page.
struct Theme {
    static Theme of(const QPalette& palette);

    bool isDark = false;
    QColor page; ///< behind the chat
    QColor text;
    QColor mutedText;
    QColor accent;
    QColor accentText; ///< on an accent background
    QColor good;
    QColor caution;
    QColor danger;
    QColor hairline;
    QColor softBlock; ///< behind a person's message
    QColor codeBlock;
    QColor card;
    QColor selection;
    QColor selectedText;

    QColor tone(Tone tone) const;
};

/// Contrast ratio by WCAG 2.1: 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

/// Half a line of the widget's text: the grid that all spacing is made of, whatever the font and
/// DPI.
int gridUnit(const QWidget* widget);

/// How the window looks: as the system says, or as a person chose.
enum class Appearance { System, Light, Dark };
QPalette paletteFor(Appearance appearance, const QPalette& systemPalette);

} // namespace ui
