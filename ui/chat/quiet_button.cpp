#include "ui/chat/quiet_button.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

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
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setUnfolded(false);
}

void Chip::setWords(const QString& text, const QString& accessibleName)
{
    if (accessibleName != this->accessibleName())
        setAccessibleName(accessibleName);
    if (text == this->text())
        return;
    setText(text);
    updateGeometry();
}

void Chip::setUnfolded(bool unfolded)
{
    m_isUnfolded = unfolded;
    setToolTip(unfolded ? tr("Close the ledger (Esc)") : tr("Why it stopped: open the ledger"));
    setAccessibleDescription(unfolded ? tr("Unfolded. Closes the ledger of this answer.")
                                      : tr("Folded. Opens the ledger of this answer."));
    update();
}

int Chip::arrowWidth() const { return gridUnit(this) * 5 / 4; }

QSize Chip::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(text()) + 2 + arrowWidth() + gridUnit(this) * 2,
        fontMetrics().height() + 4 };
}

QSize Chip::minimumSizeHint() const
{
    return { std::min(sizeHint().width(), gridUnit(this) * 10), sizeHint().height() };
}

void Chip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void Chip::enterEvent(QEnterEvent*) { update(); }
void Chip::leaveEvent(QEvent*) { update(); }

void Chip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = palette().color(QPalette::WindowText);
    QColor fill = color;
    fill.setAlphaF(underMouse() || m_isUnfolded ? 0.20f : 0.10f);
    painter.setPen(QPen(color, hasFocus() ? 2 : 1));
    painter.setBrush(fill);
    const qreal radius = height() / 2.0 - 1;
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);

    const int unit = gridUnit(this);
    const QRect room = rect().adjusted(unit, 0, -unit - arrowWidth(), 0);
    painter.setPen(color);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
    // A small arrow: down opens, up closes.
    const QPointF middle(width() - unit - arrowWidth() * 0.3, height() / 2.0);
    const qreal half = unit * 0.35;
    const qreal tip = m_isUnfolded ? -half / 2 : half / 2;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.5));
    painter.drawPolyline(QPolygonF {
        middle + QPointF(-half, -tip), middle + QPointF(0, tip), middle + QPointF(half, -tip) });
}

} // namespace ui
