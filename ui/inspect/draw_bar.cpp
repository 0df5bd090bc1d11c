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
    m_stretches.clear();
    for (size_t i = 0; i < trace.candidates.size(); ++i)
        if (trace.candidates[i].final() && trace.candidates[i].final()->high > 0)
            m_stretches.push_back({ trace.cumulative(i), trace.drawn == i });
    m_draw = trace.draw;
    setAccessibleName(words);
    update();
}

QSize DrawBar::sizeHint() const { return { gridUnit(this) * 24, gridUnit(this) * 5 / 2 }; }
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
        // What is between the bounds belongs to this stretch or to a later one.
        if (!stretch.end.isKnown())
            painter.fillRect(QRectF(QPointF(sure.right(), bar.top()),
                                 QPointF(at(stretch.end.high), bar.bottom())),
                QBrush(theme.mutedText, Qt::Dense6Pattern));
        start = std::max(start, stretch.end.low);
        painter.fillRect(QRectF(at(start) - 0.5, bar.top(), 1, bar.height()), theme.page);
    }
    painter.setPen(QPen(theme.mutedText, 1));
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

} // namespace ui
