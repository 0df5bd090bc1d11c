#pragma once

#include <QColor>
#include <QPalette>

#include <array>

namespace ui {

/// Background colours for values from 0 (blue) to 1 (yellow), in the manner of cividis: equal steps
/// of the value are equal steps in CIELAB, lightness rises all the way, and only blue and yellow
/// differ, which people with any red-green blindness tell apart. Text of the palette has a
/// contrast of at least 4.5 to 1 on every one of them.
/// Source of the idea: Nuñez, Anderton and Renslow 2018, PLoS ONE 13(7) e0199239; the ends are
/// our own, as light or dark as the text on them allows.
class ValueScale {
public:
    static constexpr int kStepCount = 65;

    static ValueScale of(const QPalette& palette);
    /// share: limited to 0 ... 1.
    QColor colour(double share) const;

private:
    std::array<QColor, kStepCount> m_steps;
};

} // namespace ui
