#include "ui/chat/quiet_button.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace ui {

QuietButton::QuietButton(QWidget* parent)
    : QToolButton(parent)
{
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
}

void QuietButton::setShown(bool shown)
{
    if (shown == m_isShown)
        return;
    m_isShown = shown;
    update();
}

void QuietButton::paintEvent(QPaintEvent* event)
{
    if (m_isShown || hasFocus() || underMouse())
        QToolButton::paintEvent(event);
}

Chip::Chip(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    const int unit = gridUnit(this);
    setContentsMargins(unit, 1, unit, 1);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void Chip::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = palette().color(QPalette::WindowText);
    QColor fill = color;
    fill.setAlphaF(0.10f);
    painter.setPen(QPen(color, 1));
    painter.setBrush(fill);
    const qreal radius = height() / 2.0 - 1;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.end();
    QLabel::paintEvent(event);
}

} // namespace ui
