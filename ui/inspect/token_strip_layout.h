#pragma once

#include <QRect>

#include <vector>

namespace ui {

/// Measures that chips are laid out with, in logical pixels.
struct StripMetrics {
    int chipHeight = 20;
    int chipGap = 2; ///< between the chips of a line
    int lineGap = 4; ///< between lines
    int margin = 8; ///< on all four sides

    bool operator==(const StripMetrics&) const = default;
};

/// Half-open range of chips.
struct ChipRange {
    int first = 0;
    int end = 0;

    bool operator==(const ChipRange&) const = default;
};

/// Where the chips of a token strip stand: they flow in lines of one width and one height. A new
/// chip costs the same at any length; chips are found by binary search.
class TokenStripLayout {
public:
    void setMetrics(const StripMetrics& metrics);
    /// Lays all lines out again.
    void setWidth(int width);
    void clear();
    /// endsLine: the next chip starts a line.
    void append(int chipWidth, bool endsLine = false);
    /// The next chip starts a line.
    void breakLine() { m_breaks = true; }

    int count() const { return int(m_chips.size()); }
    int lineCount() const { return int(m_lineStarts.size()); }
    /// Of all lines, margins included; 0 without chips.
    int height() const;
    /// A chip wider than a line is as wide as the line.
    QRect chipRect(int chip) const;
    /// -1 between chips.
    int chipAt(const QPoint& point) const;
    /// The chips of all lines that touch this band.
    ChipRange chipsIn(int top, int bottom) const;
    int lineOf(int chip) const;
    ChipRange chipsOfLine(int line) const;
    /// The chip nearest to this one's middle that many lines further; the same chip where there is
    /// no such line.
    int chipLinesAway(int chip, int lines) const;

private:
    struct Chip {
        int x = 0;
        int width = 0; ///< as it would like to be
        bool startsLine = false; ///< wherever the line before ends
        bool endsLine = false;
    };

    void place(int chip);
    int lineStep() const { return m_metrics.chipHeight + m_metrics.lineGap; }
    int shownWidth(const Chip& chip) const;

    StripMetrics m_metrics;
    int m_width = 400;
    std::vector<Chip> m_chips;
    std::vector<int> m_lineStarts; ///< the first chip of each line
    bool m_breaks = false;
};

} // namespace ui
