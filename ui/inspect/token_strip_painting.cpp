#include "ui/inspect/token_strip.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace ui {

namespace {
    constexpr int kRing = 2; // around the current token

    bool isPutIn(const app::TrackToken& token)
    {
        return token.place != app::TokenPlace::Prompt
            && token.source != engine::TokenSource::Sampled;
    }
}

void TokenStrip::paintEvent(QPaintEvent* event)
{
    if (!m_track)
        return;
    QPainter painter(viewport());
    painter.setFont(m_chipFont);
    const int scrolled = verticalScrollBar()->value();
    const QRect area = event->rect().adjusted(0, -kRing, 0, kRing);
    const ChipRange chips = m_layout.chipsIn(area.top() + scrolled, area.bottom() + scrolled);
    for (int chip = chips.first; chip < chips.end; ++chip) {
        const QRect rect = m_layout.chipRect(chip).translated(0, -scrolled);
        if (rect.intersects(area))
            paintChip(painter, chip + m_shownFrom, rect);
    }
}

void TokenStrip::paintChip(QPainter& painter, int token, const QRect& rect)
{
    const app::TrackToken& shown = m_track->tokens()[size_t(token)];
    const TokenTint tint = m_colours.tintOf(*m_track, token);
    const ChipText chip = chipText(shown);
    const QColor fill = tint.share ? m_colours.colour(tint) : m_theme.card;
    if (chip.isControl) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.mutedText, 1, shown.isReused ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(fill);
        const qreal radius = rect.height() / 2.0;
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    } else {
        painter.fillRect(rect, fill);
        paintFrame(painter, shown, rect);
    }
    if (shown.place == app::TokenPlace::Answer || m_track->isKept(token))
        paintUnderline(painter, tint, rect);
    paintText(painter, chip, rect);
    if (token != m_current && token != m_hovered)
        return;
    const bool isCurrent = token == m_current;
    painter.setBrush(Qt::NoBrush);
    const QColor ring = isCurrent ? m_theme.accent : m_theme.mutedText;
    painter.setPen(
        QPen(ring, isCurrent ? kRing : 1, isCurrent && !hasFocus() ? Qt::DotLine : Qt::SolidLine));
    painter.drawRect(QRectF(rect).adjusted(-0.5, -0.5, 0.5, 0.5));
}

/// Solid: a prompt token this run read. Dashed: one reused from the cache. With a corner: put in.
void TokenStrip::paintFrame(
    QPainter& painter, const app::TrackToken& token, const QRect& rect) const
{
    const bool isPrompt = token.place == app::TokenPlace::Prompt;
    if (!isPrompt && !isPutIn(token))
        return;
    const QColor colour = isPrompt ? m_theme.mutedText : m_theme.accent;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1, token.isReused ? Qt::DashLine : Qt::SolidLine));
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    if (isPrompt)
        return;
    const int side = rect.height() / 4;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygon(
        { rect.topLeft(), rect.topLeft() + QPoint(side, 0), rect.topLeft() + QPoint(0, side) }));
}

void TokenStrip::paintUnderline(QPainter& painter, const TokenTint& tint, const QRect& rect) const
{
    const QRectF line = QRectF(rect).adjusted(2, 0, -2, 0);
    if (tint.share) {
        const double height = TokenColours::underlineHeight(tint);
        painter.fillRect(
            QRectF(line.left(), line.bottom() - height, line.width(), height), m_theme.text);
        return;
    }
    painter.setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
    painter.drawLine(
        QPointF(line.left(), line.bottom() - 1), QPointF(line.right(), line.bottom() - 1));
}

void TokenStrip::paintText(QPainter& painter, const ChipText& chip, const QRect& rect) const
{
    const QFontMetrics metrics(m_chipFont);
    const int margin = gridUnit(this) / (chip.isControl ? 1 : 2);
    QColor faint = m_theme.text;
    faint.setAlphaF(0.5F);
    qreal x = rect.left() + margin * (chip.isControl ? 0.75 : 1);
    const int baseline = rect.top()
        + (rect.height() - int(TokenColours::kUnderlineHeight) - metrics.height()) / 2
        + metrics.ascent();
    const bool isCut = metrics.horizontalAdvance(chip.text()) > rect.width();
    if (isCut) {
        painter.save();
        painter.setClipRect(rect);
    }
    for (const ChipRun& run : chip.runs) {
        painter.setPen(run.isMark ? faint : m_theme.text);
        painter.drawText(QPointF(x, baseline), run.text);
        x += metrics.horizontalAdvance(run.text);
    }
    if (isCut)
        painter.restore();
}

} // namespace ui
