#include "ui/inspect/timeline_canvas.h"

#include "ui/inspect/timeline_words.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kLeastTick = 3; // pixels: a quick token is seen too
    constexpr int kLeastPass = 3; // pixels: narrower ones are one stroke
    constexpr double kScaleMedians = 8; // the height of the lane; longer steps fill it

    /// Kinds differ in pattern, not only in colour.
    QBrush phaseBrush(app::RunPhase kind, const Theme& theme)
    {
        QColor soft = theme.accent;
        soft.setAlphaF(0.35f);
        switch (kind) {
        case app::RunPhase::Template:
            return { theme.accent, Qt::HorPattern };
        case app::RunPhase::Tokenise:
            return { theme.accent, Qt::VerPattern };
        case app::RunPhase::Saving:
            return { theme.mutedText, Qt::FDiagPattern };
        case app::RunPhase::Before:
            return { theme.mutedText, Qt::Dense6Pattern };
        case app::RunPhase::Queue:
            return { theme.mutedText, Qt::BDiagPattern };
        case app::RunPhase::Prefill:
            return { theme.accent, Qt::Dense5Pattern };
        case app::RunPhase::Writing:
            return soft;
        case app::RunPhase::Pause:
            return { theme.caution, Qt::DiagCrossPattern };
        }
        return {};
    }
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.page);
    if (m_line && m_line->endMs > m_line->startMs) {
        paintPhases(painter);
        paintMoments(painter);
        paintPasses(painter);
        paintTicks(painter);
        if (m_hovered >= 0)
            paintMark(painter, m_hovered, false);
        if (m_current >= 0)
            paintMark(painter, m_current, true);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineCanvas::paintPhases(QPainter& painter) const
{
    const Theme theme = Theme::of(palette());
    const QRect bar = phaseRect().adjusted(0, 1, 0, -1);
    int lastPauseRight = -1;
    for (const app::TimelinePhase& phase : m_line->phases) {
        const int left = std::max(-1, m_scale.xOf(phase.startMs));
        const int right = std::min(width() + 1, m_scale.xOf(phase.endMs));
        if (left > width() || right < 0)
            continue;
        const QRect part(left, bar.top(), std::max(1, right - left), bar.height());
        if (phase.kind == app::RunPhase::Pause && part.right() <= lastPauseRight)
            continue; // a run written step by step has as many as tokens
        if (phase.kind == app::RunPhase::Pause)
            lastPauseRight = part.right();
        painter.fillRect(part, theme.page);
        painter.fillRect(part, phaseBrush(phase.kind, theme));
        painter.setPen(theme.mutedText);
        painter.drawLine(part.topLeft(), part.bottomLeft());
        const QString name = phaseWords(phase.kind);
        const QRect label(0, 0, fontMetrics().horizontalAdvance(name) + 6, fontMetrics().height());
        if (label.width() + 4 > part.width())
            continue;
        const QRect place = label.translated(part.center() - label.center());
        painter.fillRect(place, theme.page);
        painter.setPen(theme.text);
        painter.drawText(place, Qt::AlignCenter, name);
    }
    painter.setPen(theme.hairline);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

/// A stroke at each moment and after it a shape for each kind; those too near to be told apart
/// share a stroke. Names stand where there is room.
void TimelineCanvas::paintMoments(QPainter& painter) const
{
    struct Mark {
        int x = 0;
        std::vector<app::RunMoment> kinds;
    };
    const QRect lane = momentRect();
    const int shape = std::max(5, lane.height() / 2);
    std::vector<Mark> marks;
    for (const app::TimelineMoment& moment : m_line->moments) {
        if (!m_scale.isSeen(moment.ms))
            continue;
        const int x = std::clamp(m_scale.xOf(moment.ms), 0, width() - 1);
        if (marks.empty() || x - marks.back().x > shape + 3)
            marks.push_back({ x, {} });
        marks.back().kinds.push_back(moment.kind);
    }
    const Theme theme = Theme::of(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    int takenUntil = 0; // by marks and names on the left
    for (size_t i = 0; i < marks.size(); ++i) {
        const int x = marks[i].x;
        const int next = i + 1 < marks.size() ? marks[i + 1].x : width();
        const int shapes = int(marks[i].kinds.size()) * (shape + 3);
        QStringList names;
        for (const app::RunMoment kind : marks[i].kinds)
            names << momentName(kind);
        const QString name = names.join(QStringLiteral(", "));
        const int wide = shapes + 4 + fontMetrics().horizontalAdvance(name);
        // At the end of the run there is room only before it.
        const bool isLeft = x + wide > next && i + 1 == marks.size();
        int left = isLeft ? x - shapes - 1 : x + 3;
        painter.setPen(theme.text);
        painter.drawLine(x, lane.top(), x, lane.bottom());
        for (const app::RunMoment kind : marks[i].kinds) {
            const QRectF place(left, lane.center().y() - shape / 2.0, shape, shape);
            left += shape + 3;
            painter.setBrush(kind == app::RunMoment::FirstText ? QBrush() : QBrush(theme.text));
            if (kind == app::RunMoment::FirstText)
                painter.drawPolygon(QPolygonF { place.topLeft(), place.bottomLeft(),
                    QPointF(place.right(), place.center().y()) });
            else if (kind == app::RunMoment::FirstPaint)
                painter.drawEllipse(place);
            else
                painter.drawRect(place);
        }
        const QRect words = isLeft
            ? QRect(x - wide, lane.top(), wide - shapes - 4, lane.height())
            : QRect(x + 3 + shapes, lane.top(), wide - shapes - 4, lane.height());
        const bool hasRoom = words.left() > takenUntil && (isLeft || words.right() < next);
        if (hasRoom)
            painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, name);
        takenUntil = std::max(left, hasRoom ? words.right() : 0) + 4;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Wide ones as boxes, narrow ones as one stroke for each column; what was discarded is hollow.
void TimelineCanvas::paintPasses(QPainter& painter) const
{
    const QRect row = passRect();
    if (row.isEmpty())
        return;
    const Theme theme = Theme::of(palette());
    QColor soft = theme.accent;
    soft.setAlphaF(0.35f);
    const auto& passes = m_line->passes;
    const double firstMs = m_scale.leftMs();
    auto pass = std::partition_point(passes.begin(), passes.end(),
        [firstMs](const app::TimelinePass& one) { return one.endMs() < firstMs; });
    std::vector<QLine> strokes;
    int lastStroke = -1;
    for (; pass != passes.end() && m_scale.isSeen(std::max(firstMs, pass->pass.startMs)); ++pass) {
        const int left = std::max(-1, m_scale.xOf(pass->pass.startMs));
        const int right = std::min(width(), m_scale.xOf(pass->endMs()));
        const bool isDiscarded = pass->pass.kind == engine::PassKind::Discarded;
        if (right - left < kLeastPass && !isDiscarded) {
            if (left > lastStroke)
                strokes.emplace_back(left, row.top() + 1, left, row.bottom() - 1);
            lastStroke = std::max(lastStroke, left);
            continue;
        }
        const QRect box(left, row.top(), std::max(kLeastPass, right - left) - 1, row.height() - 1);
        painter.setPen(QPen(theme.mutedText, 1, isDiscarded ? Qt::DotLine : Qt::SolidLine));
        painter.setBrush(isDiscarded ? QBrush()
                : pass->pass.kind == engine::PassKind::Prefill
                ? QBrush(theme.accent, Qt::Dense5Pattern)
                : QBrush(soft));
        painter.drawRect(box);
    }
    painter.setPen(soft);
    painter.drawLines(strokes.data(), int(strokes.size()));
    if (m_pass < 0 || !m_scale.isSeen(passes[size_t(m_pass)].pass.startMs))
        return;
    const int left = m_scale.xOf(passes[size_t(m_pass)].pass.startMs);
    const int right = m_scale.xOf(passes[size_t(m_pass)].endMs());
    painter.setPen(QPen(theme.text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRect(left, row.top() + 1, std::max(kLeastPass, right - left), row.height() - 2));
}

void TimelineCanvas::paintTicks(QPainter& painter) const
{
    const Theme theme = Theme::of(palette());
    const QRect lane = tickRect();
    const double most = kScaleMedians * m_line->medianStepMs.value_or(1);
    const int mark = std::max(4, gridUnit(this) / 2);
    std::vector<QLine> ticks;
    std::vector<int> stalls;
    for (int x = 0; x < int(m_columns.size()); ++x) {
        const Column& column = m_columns[size_t(x)];
        if (column.token < 0)
            continue;
        if (column.isStall) {
            stalls.push_back(x);
            continue;
        }
        const double share = most > 0 ? std::min(1.0, column.longestMs / most) : 0;
        const int tall = std::max(kLeastTick, int(share * (lane.height() - mark)));
        ticks.emplace_back(x, lane.bottom() - tall, x, lane.bottom());
    }
    painter.setPen(theme.accent);
    painter.drawLines(ticks.data(), int(ticks.size()));
    painter.setPen(theme.danger);
    painter.setBrush(theme.danger);
    for (const int x : stalls) {
        painter.drawLine(x, lane.top(), x, lane.bottom());
        painter.drawPolygon(QPolygon {
            { x - mark, lane.top() }, { x + mark, lane.top() }, { x, lane.top() + mark } });
    }
    painter.setPen(theme.hairline);
    painter.drawLine(0, lane.bottom() + 1, width(), lane.bottom() + 1);
    const QRect scale(2, height() - fontMetrics().height(), width() - 4, fontMetrics().height());
    painter.setPen(theme.mutedText);
    painter.drawText(scale, Qt::AlignLeft | Qt::AlignVCenter,
        m_scale.leftMs() != 0 ? momentWords(m_scale.leftMs()) : tr("0 ms"));
    painter.drawText(scale, Qt::AlignRight | Qt::AlignVCenter,
        momentWords(m_scale.leftMs() + m_scale.seenMs()));
}

void TimelineCanvas::paintMark(QPainter& painter, int token, bool isCurrent) const
{
    const int x = xOf(token);
    if (x < 0)
        return;
    const Theme theme = Theme::of(palette());
    const QRect lane = tickRect();
    painter.setPen(
        QPen(isCurrent ? theme.text : theme.mutedText, 1, isCurrent ? Qt::SolidLine : Qt::DotLine));
    painter.drawLine(x, lane.top(), x, lane.bottom());
    if (!isCurrent)
        return;
    const int half = std::max(4, gridUnit(this) / 2); // from below: a stall's triangle is above
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygon { { x - half, lane.bottom() + half },
        { x + half, lane.bottom() + half }, { x, lane.bottom() } });
}

} // namespace ui
