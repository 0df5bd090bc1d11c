#include "ui/inspect/timeline_canvas.h"

#include "ui/inspect/timeline_words.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kLeastTick = 3; // pixels: a quick token is seen too
    constexpr double kScaleMedians = 8; // the height of the lane; longer steps fill it

    /// Kinds differ in pattern, not only in colour.
    QBrush phaseBrush(app::RunPhase kind, const Theme& theme)
    {
        QColor soft = theme.accent;
        soft.setAlphaF(0.35f);
        switch (kind) {
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

TimelineCanvas::TimelineCanvas(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimelineCanvas::setTimeline(const app::RunTimeline* line)
{
    m_line = line;
    if (!line || m_current >= int(line->steps.size()))
        m_current = -1;
    measure();
    setHovered(-1);
}

void TimelineCanvas::measure()
{
    m_columns.assign(size_t(std::max(1, width())), Column {});
    const int count = m_line ? int(m_line->steps.size()) : 0;
    for (int token = 0; token < count; ++token) {
        const app::TokenStep& step = m_line->steps[size_t(token)];
        if (!step.decidedMs)
            continue;
        Column& column = m_columns[size_t(xOfMs(*step.decidedMs))];
        if (column.token < 0 || (step.isStall && !column.isStall))
            column.token = token;
        column.isStall |= step.isStall;
        column.longestMs = std::max(column.longestMs, step.hasPause ? 0 : step.stepMs.value_or(0));
    }
    update();
}

int TimelineCanvas::xOfMs(double ms) const
{
    const double share = m_line->endMs > 0 ? ms / m_line->endMs : 0;
    return int(std::clamp(share, 0.0, 1.0) * std::max(0, int(m_columns.size()) - 1));
}

int TimelineCanvas::xOf(int token) const
{
    const auto& decided = m_line->steps[size_t(token)].decidedMs;
    return decided ? xOfMs(*decided) : -1;
}

int TimelineCanvas::tokenAt(int x) const
{
    const int count = int(m_columns.size());
    const int start = std::clamp(x, 0, std::max(0, count - 1));
    for (int distance = 0; distance < count; ++distance)
        for (const int column : { start - distance, start + distance })
            if (column >= 0 && column < count && m_columns[size_t(column)].token >= 0)
                return m_columns[size_t(column)].token;
    return -1;
}

void TimelineCanvas::setCurrent(int token)
{
    m_current = m_line && token >= 0 && token < int(m_line->steps.size()) ? token : -1;
    update();
}

void TimelineCanvas::setHovered(int token)
{
    if (token == m_hovered)
        return;
    m_hovered = token;
    update();
    emit hoveredChanged();
}

QSize TimelineCanvas::sizeHint() const { return { gridUnit(this) * 24, gridUnit(this) * 11 }; }
QSize TimelineCanvas::minimumSizeHint() const
{
    return { gridUnit(this) * 8, sizeHint().height() };
}

QRect TimelineCanvas::phaseRect() const { return { 0, 0, width(), gridUnit(this) * 3 }; }

QRect TimelineCanvas::tickRect() const
{
    const int top = phaseRect().bottom() + 1 + gridUnit(this) / 2;
    return { 0, top, width(), height() - top - fontMetrics().height() };
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.page);
    if (m_line && m_line->endMs > 0) {
        paintPhases(painter);
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
        const int left = xOfMs(phase.startMs);
        const QRect part(left, bar.top(), std::max(1, xOfMs(phase.endMs) - left), bar.height());
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
    const QRect scale(2, lane.bottom() + 2, width() - 4, fontMetrics().height());
    painter.setPen(theme.mutedText);
    painter.drawText(scale, Qt::AlignLeft | Qt::AlignVCenter, tr("0 ms"));
    painter.drawText(scale, Qt::AlignRight | Qt::AlignVCenter, momentWords(m_line->endMs));
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

void TimelineCanvas::resizeEvent(QResizeEvent*) { measure(); }

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    const int token = tokenAt(int(event->position().x()));
    if (event->button() == Qt::LeftButton && token >= 0)
        emit tokenChosen(token);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(tokenAt(int(event->position().x())));
}

void TimelineCanvas::leaveEvent(QEvent*) { setHovered(-1); }

bool TimelineCanvas::event(QEvent* event)
{
    // N is the timeline's own here, whatever the window does with it elsewhere.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_N && (key->modifiers() & ~Qt::ShiftModifier) == 0) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

int TimelineCanvas::stallFrom(int token, int direction) const
{
    const int count = m_line ? int(m_line->steps.size()) : 0;
    for (int i = token + direction; i >= 0 && i < count; i += direction)
        if (m_line->steps[size_t(i)].isStall)
            return i;
    return -1;
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event)
{
    const int count = m_line ? int(m_line->steps.size()) : 0;
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    int next = -1;
    if (event->key() == Qt::Key_N && (modifiers == 0 || modifiers == Qt::ShiftModifier)) {
        const int direction = modifiers == 0 ? 1 : -1;
        next = stallFrom(m_current < 0 && direction < 0 ? count : m_current, direction);
        if (next >= 0)
            emit tokenChosen(next);
        return;
    }
    if (event->key() == Qt::Key_Left)
        next = m_current < 0 ? count - 1 : m_current - 1;
    else if (event->key() == Qt::Key_Right)
        next = m_current + 1;
    else if (event->key() == Qt::Key_Home)
        next = 0;
    else if (event->key() == Qt::Key_End)
        next = count - 1;
    if (modifiers != 0 || next < 0 || next >= count) {
        event->ignore();
        return;
    }
    emit tokenChosen(next);
}

} // namespace ui
