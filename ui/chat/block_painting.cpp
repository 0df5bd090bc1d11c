#include "ui/chat/block_layout.h"

#include <QPainter>

namespace ui {

namespace {
    void drawRounded(QPainter& painter, const QRectF& rect, qreal radius, const QColor& fill)
    {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(rect, radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void BlockLayout::paintContainers(QPainter& painter, const Theme& theme) const
{
    qreal x = 0;
    for (const BlockContainer& container : m_block.containers) {
        if (container.kind == BlockContainer::Kind::Quote) {
            painter.fillRect(
                QRectF(x, 0, std::max(2.0, m_style.unit * 0.3), m_height), theme.hairline);
            x += m_style.unit * 2;
            continue;
        }
        const qreal width = m_style.unit * 3;
        if (!container.marker.isEmpty() && !m_parts.empty()) {
            const QTextLine line = m_parts.front().layout->lineCount() > 0
                ? m_parts.front().layout->lineAt(0)
                : QTextLine();
            const qreal y = m_viewport.top() + (line.isValid() ? line.y() : 0);
            painter.setFont(m_style.font);
            painter.setPen(theme.mutedText);
            painter.drawText(QRectF(x - width, y, width * 2 - m_style.unit * 0.75,
                                 QFontMetricsF(m_style.font).height()),
                Qt::AlignRight | Qt::AlignTop, container.marker);
        }
        x += width;
    }
}

void BlockLayout::paintParts(
    QPainter& painter, const Theme& theme, const Overlay& over, const QRectF& visible) const
{
    const TextRange& selection = over.selection;
    const QPointF offset = contentOffset();
    for (const Part& part : m_parts) {
        const QRectF box(offset + part.origin, QSizeF(1, part.height));
        if (box.bottom() < visible.top() || box.top() > visible.bottom())
            continue;
        QList<QTextLayout::FormatRange> overlay;
        for (const QTextLayout::FormatRange& range : part.layout->formats()) {
            const bool isCode = !range.format.fontFamilies().toStringList().isEmpty();
            if (!isCode && !range.format.fontUnderline())
                continue;
            QTextLayout::FormatRange tinted = range;
            if (isCode && !over.isTinted)
                tinted.format.setBackground(
                    theme.isDark ? theme.hairline : theme.codeBlock.darker(103));
            if (range.format.fontUnderline())
                tinted.format.setForeground(theme.accent);
            overlay.append(tinted);
        }
        const int length = int(part.layout->text().size());
        const int start = std::max(0, selection.start - part.start);
        const int end = std::min(length, selection.end - part.start);
        if (end > start) {
            QTextLayout::FormatRange selected { start, end - start, {} };
            selected.format.setBackground(theme.selection);
            selected.format.setForeground(theme.selectedText);
            overlay.append(selected);
        }
        part.layout->draw(&painter, box.topLeft(), overlay, visible);
    }
}

void BlockLayout::paint(QPainter& painter, const Theme& theme, TextRange selection,
    const QRectF& visible, const std::vector<BlockTint>& tints) const
{
    if (m_block.kind == BlockKind::Rule) {
        painter.fillRect(QRectF(m_viewport.left(), std::floor(m_height / 2), m_viewport.width(), 1),
            theme.hairline);
        return;
    }
    if (m_block.kind == BlockKind::Code)
        drawRounded(painter, QRectF(m_header.left(), 0, m_header.width(), m_height),
            m_style.unit * 0.75, theme.codeBlock);
    paintContainers(painter, theme);
    if (m_block.kind == BlockKind::Code) {
        painter.setFont(m_style.font);
        painter.setPen(theme.mutedText);
        painter.drawText(m_header.adjusted(m_style.unit * 1.25, 0, 0, 0),
            Qt::AlignLeft | Qt::AlignVCenter, m_block.language.left(32));
    }

    painter.save();
    painter.setPen(
        m_block.containers.empty() || m_block.containers.front().kind == BlockContainer::Kind::Item
            ? theme.text
            : theme.mutedText);
    if (m_contentWidth > 0)
        painter.setClipRect(m_viewport.adjusted(0, -1, 0, 1), Qt::IntersectClip);
    if (m_block.kind == BlockKind::Table) {
        const QPointF offset = contentOffset();
        const qreal right = offset.x() + m_columnEdges.back();
        for (size_t row = 0; row < m_rowEdges.size(); ++row) {
            const bool belowHead = row == 1;
            const qreal y
                = std::floor(offset.y() + m_rowEdges[row]) - (row + 1 == m_rowEdges.size() ? 1 : 0);
            painter.fillRect(QRectF(offset.x(), y, right - offset.x(), 1),
                belowHead ? theme.mutedText : theme.hairline);
        }
    }
    const QPen textPen = painter.pen();
    paintTints(painter, theme, tints);
    painter.setPen(textPen);
    paintParts(painter, theme, { selection, !tints.empty() }, visible);
    painter.restore();

    if (isScrollable())
        drawRounded(painter, scrollBar(), scrollBar().height() / 2, theme.mutedText);
}

} // namespace ui
