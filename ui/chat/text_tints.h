#pragma once

#include "ui/markdown/source_map.h"

#include <QColor>

#include <vector>

namespace ui {

/// A stretch of a message's text with a tint behind it. The same value is told twice: by colour
/// and by the height of an underline.
struct TextTint {
    TextPlace start;
    TextPlace end; ///< exclusive; start where nothing of it is shown
    QColor colour; ///< invalid: none, and a dotted underline
    double underline = 0; ///< logical pixels
};

/// Half-open range of tints.
struct TintRange {
    size_t first = 0;
    size_t end = 0;

    bool operator==(const TintRange&) const = default;
};

/// The tints of one message, in the order of its text; found by binary search.
class TextTints {
public:
    void clear() { m_tints.clear(); }
    /// These in place of all from this index on.
    void replaceFrom(size_t index, std::vector<TextTint> tints);
    size_t count() const { return m_tints.size(); }
    const TextTint& operator[](size_t index) const { return m_tints[index]; }
    /// Those that reach into this stretch of text.
    TintRange touching(TextPlace from, TextPlace to) const;
    /// The tint of the character after this place; -1: none.
    int at(TextPlace place) const;

private:
    std::vector<TextTint> m_tints;
};

} // namespace ui
