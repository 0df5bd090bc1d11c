#include "ui/inspect/token_strip_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ui {

void TokenStripLayout::setMetrics(const StripMetrics& metrics)
{
    if (metrics == m_metrics)
        return;
    m_metrics = metrics;
    setWidth(std::exchange(m_width, -1));
}

void TokenStripLayout::setWidth(int width)
{
    if (width == m_width)
        return;
    m_width = width;
    m_lineStarts.clear();
    for (int chip = 0; chip < count(); ++chip)
        place(chip);
}

void TokenStripLayout::clear()
{
    m_chips.clear();
    m_lineStarts.clear();
    m_breaks = false;
}

void TokenStripLayout::append(int chipWidth, bool endsLine)
{
    m_chips.push_back({ 0, chipWidth, std::exchange(m_breaks, false), endsLine });
    place(count() - 1);
}

/// Needs the chip before to be placed.
void TokenStripLayout::place(int chip)
{
    Chip& placed = m_chips[size_t(chip)];
    placed.x = m_metrics.margin;
    if (chip > 0) {
        const Chip& before = m_chips[size_t(chip) - 1];
        const int x = before.x + shownWidth(before) + m_metrics.chipGap;
        const bool fits = x + placed.width <= m_width - m_metrics.margin;
        if (fits && !before.endsLine && !placed.startsLine) {
            placed.x = x;
            return;
        }
    }
    m_lineStarts.push_back(chip);
}

int TokenStripLayout::shownWidth(const Chip& chip) const
{
    return std::min(chip.width, std::max(1, m_width - 2 * m_metrics.margin));
}

int TokenStripLayout::height() const
{
    return m_chips.empty() ? 0
                           : lineCount() * lineStep() - m_metrics.lineGap + 2 * m_metrics.margin;
}

QRect TokenStripLayout::chipRect(int chip) const
{
    const Chip& placed = m_chips[size_t(chip)];
    return { placed.x, m_metrics.margin + lineOf(chip) * lineStep(), shownWidth(placed),
        m_metrics.chipHeight };
}

int TokenStripLayout::lineOf(int chip) const
{
    const auto after = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), chip);
    return int(after - m_lineStarts.begin()) - 1;
}

ChipRange TokenStripLayout::chipsOfLine(int line) const
{
    const int end = line + 1 < lineCount() ? m_lineStarts[size_t(line) + 1] : count();
    return { m_lineStarts[size_t(line)], end };
}

int TokenStripLayout::chipAt(const QPoint& point) const
{
    const int y = point.y() - m_metrics.margin;
    if (y < 0 || y / lineStep() >= lineCount() || y % lineStep() >= m_metrics.chipHeight)
        return -1;
    const ChipRange line = chipsOfLine(y / lineStep());
    const auto begin = m_chips.begin() + line.first;
    const auto after = std::partition_point(begin, m_chips.begin() + line.end,
        [&point](const Chip& chip) { return chip.x <= point.x(); });
    if (after == begin || point.x() >= (after - 1)->x + shownWidth(*(after - 1)))
        return -1;
    return int(after - 1 - m_chips.begin());
}

ChipRange TokenStripLayout::chipsIn(int top, int bottom) const
{
    if (m_chips.empty() || bottom < m_metrics.margin)
        return {};
    const int first = std::max(0, top - m_metrics.margin) / lineStep();
    const int last = std::min(lineCount() - 1, (bottom - m_metrics.margin) / lineStep());
    if (first > last)
        return {};
    return { chipsOfLine(first).first, chipsOfLine(last).end };
}

int TokenStripLayout::chipLinesAway(int chip, int lines) const
{
    const int line = lineOf(chip) + lines;
    if (line < 0 || line >= lineCount())
        return chip;
    const int middle = chipRect(chip).center().x();
    const ChipRange there = chipsOfLine(line);
    int nearest = there.first;
    const auto distance = [&](int i) { return std::abs(chipRect(i).center().x() - middle); };
    for (int i = there.first + 1; i < there.end; ++i)
        if (distance(i) < distance(nearest))
            nearest = i;
    return nearest;
}

} // namespace ui
