#include "ui/chat/view_start_line.h"

#include "ui/theme/labels.h"

#include <QPainter>

#include <algorithm>

namespace ui {

ViewStartLine::ViewStartLine(QWidget* parent)
    : MessageView(parent)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("viewStart"));
    m_label->setTextFormat(Qt::PlainText);
    m_label->setAlignment(Qt::AlignCenter);
    m_label->setWordWrap(true);
    m_label->setForegroundRole(QPalette::PlaceholderText);
}

void ViewStartLine::setDroppedCount(size_t messageCount)
{
    const QString words = messageCount == 1
        ? tr("The model's view begins here: 1 message above was left out")
        : tr("The model's view begins here: %L1 messages above were left out").arg(messageCount);
    renew(m_label, words, words);
}

QString ViewStartLine::words() const { return m_label->text(); }

QRect ViewStartLine::labelRect(int width) const
{
    const int unit = gridUnit(this);
    const int words = m_label->fontMetrics().horizontalAdvance(m_label->text()) + 2 * unit;
    const int labelWidth = std::min(words, width - 6 * unit); // some of the line is always seen
    return { (width - labelWidth) / 2, 0, labelWidth, m_label->heightForWidth(labelWidth) };
}

int ViewStartLine::heightFor(int width) const { return labelRect(width).height(); }

void ViewStartLine::resizeEvent(QResizeEvent*) { m_label->setGeometry(labelRect(width())); }

void ViewStartLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect label = m_label->geometry();
    const int y = label.center().y();
    painter.setPen(QPen(Theme::of(palette()).mutedText, 1, Qt::DashLine));
    painter.drawLine(0, y, label.left() - gridUnit(this), y);
    painter.drawLine(label.right() + gridUnit(this), y, width(), y);
}

} // namespace ui
