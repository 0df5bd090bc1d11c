#include "ui/chat/ghost_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    constexpr qreal kLineFactor = 1.35; // as in running text
}

void GhostText::layOut(const QFont& font, const Start& start)
{
    m_bottom = 0;
    if (m_text.isEmpty())
        return;
    const QFontMetricsF metrics(font);
    const qreal slot = std::ceil(metrics.height() * kLineFactor);
    m_layout.setText(m_text);
    m_layout.setFont(font);
    QTextOption option(Qt::AlignLeft);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout.setTextOption(option);

    // Small steps keep the baseline of the line it follows.
    qreal x = start.caret.left();
    qreal y = start.caret.bottom() - metrics.height();
    if (start.caret.isEmpty()) {
        x = start.column.left();
        y = start.column.top() + std::floor((slot - metrics.height()) / 2);
    } else if (start.afterSpace && !start.onNewLine) {
        x += metrics.horizontalAdvance(QLatin1Char(' '));
    }
    const qreal right = std::max(start.column.right(), start.column.left() + slot);
    if (!start.caret.isEmpty() && (start.onNewLine || right - x < metrics.averageCharWidth() * 3)) {
        x = start.column.left();
        y += slot;
    }
    m_layout.beginLayout();
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(right - x);
        line.setPosition({ x, y });
        m_bottom = y + line.height();
        x = start.column.left();
        y += slot;
    }
    m_layout.endLayout();
}

void GhostText::paint(QPainter& painter, const Theme& theme)
{
    if (m_text.isEmpty())
        return;
    QTextLayout::FormatRange all { 0, int(m_text.size()), {} };
    all.format.setForeground(theme.mutedText);
    all.format.setUnderlineStyle(QTextCharFormat::DotLine);
    all.format.setUnderlineColor(theme.mutedText);
    painter.setPen(theme.mutedText);
    m_layout.draw(&painter, {}, { all });
}

} // namespace ui
