#include "ui/inspect/candidate_row.h"

#include "ui/theme/theme.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    constexpr double kRawBarHeight = 2;
    constexpr double kFinalBarHeight = 4;
    constexpr double kBarsGap = 3; // below the tails of letters
    constexpr double kBarsHeight = kBarsGap + kRawBarHeight + kFinalBarHeight;

    QFont pieceFont(const QFont& text, bool isChosen)
    {
        QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setPointSizeF(text.pointSizeF());
        font.setBold(isChosen);
        return font;
    }
}

CandidateRow::CandidateRow(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CandidateRow::setWords(const CandidateWords& words)
{
    if (words == m_words)
        return;
    m_words = words;
    setText(words.spoken); // what is read aloud; the columns are painted
    update();
}

CandidateRow::Columns CandidateRow::neededColumns(
    const CandidateWords& words, const QFontMetrics& metrics)
{
    return { metrics.horizontalAdvance(words.raw), metrics.horizontalAdvance(words.outcome) };
}

void CandidateRow::setColumns(const Columns& columns)
{
    m_columns = columns;
    update();
}

QSize CandidateRow::sizeHint() const
{
    return { gridUnit(this) * 24, fontMetrics().height() + int(kBarsHeight) + gridUnit(this) / 2 };
}

void CandidateRow::keyPressEvent(QKeyEvent* event) { event->ignore(); }

void CandidateRow::focusInEvent(QFocusEvent* event)
{
    QLabel::focusInEvent(event);
    emit focused();
}

void CandidateRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const int unit = gridUnit(this);
    const int lineHeight = fontMetrics().height();
    const int top = unit / 4;
    if (hasFocus())
        painter.fillRect(rect(), theme.softBlock);

    const QRect outcome(width() - unit / 2 - m_columns.outcome, top, m_columns.outcome, lineHeight);
    const QRect raw(outcome.left() - unit - m_columns.raw, top, m_columns.raw, lineHeight);
    const QRect piece(unit * 3 / 2, top, raw.left() - unit - unit * 3 / 2, lineHeight);
    if (m_words.isChosen) { // shape first: the chosen one has a mark
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        const QPointF middle(unit * 0.7, top + lineHeight / 2.0);
        painter.drawPolygon(QPolygonF { middle + QPointF(-unit * 0.3, -unit * 0.45),
            middle + QPointF(unit * 0.4, 0), middle + QPointF(-unit * 0.3, unit * 0.45) });
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QFont pieces = m_words.id < 0 ? font() : pieceFont(font(), m_words.isChosen);
    painter.setFont(pieces);
    painter.setPen(m_words.isDropped ? theme.mutedText : theme.text);
    painter.drawText(piece, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(pieces).elidedText(m_words.piece, Qt::ElideRight, piece.width()));
    painter.setFont(font());
    painter.drawText(raw, Qt::AlignRight | Qt::AlignVCenter, m_words.raw);
    painter.drawText(outcome, Qt::AlignRight | Qt::AlignVCenter, m_words.outcome);
    paintBars(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void CandidateRow::paintBars(QPainter& painter) const
{
    const Theme theme = Theme::of(palette());
    const int unit = gridUnit(this);
    const double left = unit * 1.5;
    const double room = width() - left - unit * 0.5;
    const double top = unit / 4.0 + fontMetrics().height() + kBarsGap;
    painter.fillRect(QRectF(left, top, room, kRawBarHeight + kFinalBarHeight), theme.codeBlock);
    painter.fillRect(
        QRectF(left, top, std::max(1.0, room * m_words.rawShare), kRawBarHeight), theme.mutedText);
    const QRectF sure(left, top + kRawBarHeight, room * m_words.finalShare.low, kFinalBarHeight);
    painter.fillRect(sure, theme.accent);
    if (m_words.finalShare.isKnown())
        return;
    // Between the bounds: hatched, since nothing more is known.
    const QRectF open(sure.right(), sure.top(),
        room * (m_words.finalShare.high - m_words.finalShare.low), kFinalBarHeight);
    painter.fillRect(open, QBrush(theme.accent, Qt::Dense6Pattern));
}

} // namespace ui
