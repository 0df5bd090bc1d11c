#include "ui/inspect/draw_bar.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace ui {

DrawBar::DrawBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DrawBar::setTrace(const app::StageTrace& trace, const QString& words)
{
    setStretches(trace, app::kTracedStages.size() - 1, words);
    m_draw = trace.draw;
}

void DrawBar::setStage(const app::StageTrace& trace, size_t stage, const PieceNames& names)
{
    setStretches(trace, stage, distributionWords(trace, stage, names));
    size_t stretch = 0;
    for (const app::TracedCandidate& candidate : trace.candidates)
        if (candidate.after[stage] && candidate.after[stage]->high > 0)
            m_stretches[stretch++].name = names.drawn(candidate.id);
    if (!m_hasNames)
        updateGeometry();
    m_hasNames = true;
}

void DrawBar::setStretches(const app::StageTrace& trace, size_t stage, const QString& words)
{
    m_draw.reset();
    m_stretches.clear();
    for (size_t i = 0; i < trace.candidates.size(); ++i)
        if (trace.candidates[i].after[stage] && trace.candidates[i].after[stage]->high > 0)
            m_stretches.push_back({ trace.cumulative(i, stage), trace.drawn == i, {} });
    setAccessibleName(words);
    update();
}

QSize DrawBar::sizeHint() const
{
    const int unit = gridUnit(this);
    return { unit * 24, m_hasNames ? fontMetrics().height() + unit + 2 : unit * 5 / 2 };
}
QSize DrawBar::minimumSizeHint() const { return { gridUnit(this) * 8, sizeHint().height() }; }

void DrawBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const int unit = gridUnit(this);
    const double mark = unit * 0.6;
    const QRectF bar(mark, mark + 1, width() - 2 * mark, height() - mark - 3);
    const auto at = [&](double share) { return bar.left() + bar.width() * share; };
    painter.fillRect(bar, theme.codeBlock);
    double start = 0;
    for (const Stretch& stretch : m_stretches) {
        const QRectF sure(QPointF(at(start), bar.top()),
            QPointF(at(std::max(start, stretch.end.low)), bar.bottom()));
        if (stretch.isDrawn)
            painter.fillRect(sure, theme.accent);
        else
            painter.fillRect(sure, theme.hairline);
        paintName(painter, sure, stretch);
        // What is between the bounds belongs to this stretch or to a later one.
        if (!stretch.end.isKnown())
            painter.fillRect(QRectF(QPointF(sure.right(), bar.top()),
                                 QPointF(at(stretch.end.high), bar.bottom())),
                QBrush(theme.mutedText, Qt::Dense6Pattern));
        start = std::max(start, stretch.end.low);
    }
    for (const Stretch& stretch : m_stretches) // last, so that no stretch covers them
        painter.fillRect(
            QRect(int(at(stretch.end.low)), int(bar.top()), 1, int(bar.height())), theme.page);
    painter.setPen(QPen(theme.mutedText, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    if (!m_draw)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text, 2));
    painter.drawLine(QPointF(at(*m_draw), mark), QPointF(at(*m_draw), bar.bottom() + 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF { { at(*m_draw) - mark * 0.8, 0 },
        { at(*m_draw) + mark * 0.8, 0 }, { at(*m_draw), mark + 2 } });
}

void DrawBar::paintName(QPainter& painter, const QRectF& room, const Stretch& stretch) const
{
    const QRectF inside = room.adjusted(3, 0, -3, 0);
    if (stretch.name.isEmpty() || fontMetrics().horizontalAdvance(stretch.name) > inside.width())
        return;
    const Theme theme = Theme::of(palette());
    painter.setPen(stretch.isDrawn ? theme.accentText : theme.text);
    painter.drawText(inside, Qt::AlignCenter, stretch.name);
}

} // namespace ui
