#include "ui/chat/block_layout.h"

#include <QPainter>

#include <algorithm>

namespace ui {

TextRange BlockLayout::rangeIn(const QRectF& visible) const
{
    const QRectF all(0, 0, m_viewport.right() + 1, m_height);
    if (m_parts.empty())
        return {};
    const int length = m_parts.back().start + int(m_parts.back().layout->text().size());
    if (visible.contains(all))
        return { 0, length };
    const QRectF seen = visible & all;
    // Half-seen lines count as seen.
    return { std::max(0, positionAt(QPointF(0, seen.top())) - 1),
        std::min(length, positionAt(QPointF(m_viewport.right(), seen.bottom())) + 1) };
}

std::vector<QRectF> BlockLayout::rectsOf(TextRange range) const
{
    std::vector<QRectF> rects;
    auto part = std::partition_point(m_parts.begin(), m_parts.end(), [&range](const Part& before) {
        return before.start + int(before.layout->text().size()) <= range.start;
    });
    for (; part != m_parts.end() && part->start < range.end; ++part) {
        const QTextLayout& layout = *part->layout;
        const int from = std::max(0, range.start - part->start);
        const int to = std::min(int(layout.text().size()), range.end - part->start);
        QTextLine line = layout.lineForTextPosition(from);
        while (line.isValid() && line.textStart() < to && from < to) {
            const qreal a = line.cursorToX(std::max(from, line.textStart()));
            const qreal b = line.cursorToX(std::min(to, line.textStart() + line.textLength()));
            rects.push_back(QRectF(std::min(a, b), line.y(), std::abs(b - a), line.height())
                                .translated(contentOffset() + part->origin));
            const int next = line.lineNumber() + 1;
            line = next < layout.lineCount() ? layout.lineAt(next) : QTextLine();
        }
    }
    return rects;
}

void BlockLayout::paintTints(
    QPainter& painter, const Theme& theme, const std::vector<BlockTint>& tints) const
{
    for (const BlockTint& tint : tints)
        for (const QRectF& rect : rectsOf(tint.range)) {
            if (tint.colour.isValid())
                painter.fillRect(rect, tint.colour);
            const QRectF line = rect.adjusted(0.5, 0, -0.5, 0);
            if (tint.colour.isValid())
                painter.fillRect(QRectF(line.left(), line.bottom() - tint.underline, line.width(),
                                     tint.underline),
                    theme.text);
            else
                for (qreal x = line.left(); x < line.right(); x += 3)
                    painter.fillRect(QRectF(x, line.bottom() - 1, 1, 1), theme.mutedText);
        }
    // Over their neighbours' tints.
    for (const BlockTint& tint : tints)
        for (const QRectF& rect :
            rectsOf(tint.mark == TintMark::None ? TextRange {} : tint.range)) {
            const bool isCurrent = tint.mark == TintMark::Current;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(isCurrent ? theme.accent : theme.mutedText, isCurrent ? 2 : 1));
            painter.drawRect(rect.adjusted(-0.5, 0.5, 0.5, -0.5));
        }
}

} // namespace ui
