#include "ui/theme/labels.h"

#include <QPainter>

#include <algorithm>

namespace ui {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setWholeText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    setText(text);
    setToolTip(text.toHtmlEscaped());
    updateGeometry();
}

QSize ElidedLabel::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() };
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { fontMetrics().averageCharWidth() * 4, fontMetrics().height() };
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft,
        fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
}

NoteLabel::NoteLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setForegroundRole(QPalette::PlaceholderText);
}

void NoteLabel::setNote(const QString& text)
{
    setText(text);
    fitHeight();
}

void NoteLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    fitHeight();
}

void NoteLabel::fitHeight()
{
    // What it needs at the width that widgets begin with would make its window grow for good.
    if (!testAttribute(Qt::WA_Resized))
        return;
    // Form layouts forget the height of wrapping rows when their text or visibility changes.
    const QRect room(0, 0, std::max(1, width()), 1 << 20);
    setMinimumHeight(fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height());
}

void renew(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
}

void renew(QLabel* label, const QString& text, const QString& accessibleName)
{
    if (label->accessibleName() != accessibleName)
        label->setAccessibleName(accessibleName); // first: a named label announces no text
    renew(label, text);
}

} // namespace ui
