#include "ui/chat/ledger_row_view.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    QString resultWords(const LedgerRow& row)
    {
        if (row.decided)
            return LedgerRowView::tr("ended the answer");
        return row.held ? LedgerRowView::tr("held too") : LedgerRowView::tr("did not hold");
    }
}

LedgerRowView::LedgerRowView(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true); // else a label forgets that its height follows from its width
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void LedgerRowView::setRow(const LedgerRow& row)
{
    m_row = row;
    setText(row.sentence()); // what is read aloud; the columns are painted
    updateGeometry();
}

int LedgerRowView::nameWidth() const
{
    return QFontMetrics(strongFont()).horizontalAdvance(m_row.condition);
}

void LedgerRowView::setNameWidth(int width)
{
    m_nameWidth = width;
    updateGeometry();
    update();
}

QFont LedgerRowView::strongFont() const
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return strong;
}

LedgerRowView::Columns LedgerRowView::columnsFor(int width) const
{
    const int unit = gridUnit(this);
    const int tall = 1 << 16;
    const int top = unit / 4;
    const int resultWidth
        = QFontMetrics(strongFont()).horizontalAdvance(resultWords({ {}, {}, true, true })) + 2;
    Columns columns;
    columns.name = QRect(unit * 2, top, m_nameWidth + 2, tall);
    columns.result = QRect(width - resultWidth - unit / 2, top, resultWidth, tall);
    const int left = columns.name.right() + unit * 2;
    const int room = columns.result.left() - unit - left;
    // Where three columns have no room, the state goes below the name.
    columns.state = room >= unit * 20
        ? QRect(left, top, room, tall)
        : QRect(columns.name.left(), top + fontMetrics().height(),
            std::max(unit * 6, width - columns.name.left() - unit / 2), tall);
    return columns;
}

int LedgerRowView::heightForWidth(int width) const
{
    const QRect room = columnsFor(width).state;
    const QRect needed = fontMetrics().boundingRect(
        room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_row.state);
    return room.top() + std::max(needed.height(), fontMetrics().height()) + gridUnit(this) / 4;
}

QSize LedgerRowView::sizeHint() const
{
    return { gridUnit(this) * 30, fontMetrics().height() + gridUnit(this) / 2 };
}

QSize LedgerRowView::minimumSizeHint() const
{
    return { gridUnit(this) * 12, fontMetrics().height() + gridUnit(this) / 2 };
}

void LedgerRowView::keyPressEvent(QKeyEvent* event) { event->ignore(); }

void LedgerRowView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const Columns columns = columnsFor(width());
    const int unit = gridUnit(this);
    const bool stands = m_row.held || m_row.decided;
    // Shape first: a filled mark ended it, a ring held too, a dash did not hold.
    const QRectF mark(
        unit / 4.0, columns.name.top() + (fontMetrics().height() - unit) / 2.0, unit, unit);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(stands ? theme.text : theme.mutedText, 1.5));
    if (m_row.decided)
        painter.setBrush(theme.text);
    if (stands)
        painter.drawEllipse(mark.adjusted(1, 1, -1, -1));
    else
        painter.drawLine(QPointF(mark.left() + 1, mark.center().y()),
            QPointF(mark.right() - 1, mark.center().y()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_row.decided ? strongFont() : font());
    painter.setPen(stands ? theme.text : theme.mutedText);
    painter.drawText(columns.name, Qt::AlignLeft | Qt::AlignTop, m_row.condition);
    painter.drawText(columns.result, Qt::AlignRight | Qt::AlignTop, resultWords(m_row));
    painter.setFont(font());
    painter.drawText(columns.state, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_row.state);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace ui
