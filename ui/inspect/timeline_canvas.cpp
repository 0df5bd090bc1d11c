#include "ui/inspect/timeline_canvas.h"

#include "ui/inspect/timeline_words.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    constexpr double kZoomStep = 1.5;
    constexpr double kWheelNotch = 120; // eighths of a degree
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
    if (!line || m_pass >= int(line->passes.size()))
        m_pass = -1;
    measure();
    setHovered(-1);
}

void TimelineCanvas::measure()
{
    m_columns.assign(size_t(std::max(1, width())), Column {});
    if (m_line)
        m_scale.setRun(m_line->startMs, m_line->endMs, int(m_columns.size()));
    const int count = m_line ? int(m_line->steps.size()) : 0;
    for (int token = 0; token < count; ++token) {
        const app::TokenStep& step = m_line->steps[size_t(token)];
        if (!step.decidedMs || !m_scale.isSeen(*step.decidedMs))
            continue;
        Column& column = m_columns[size_t(columnOf(*step.decidedMs))];
        if (column.token < 0 || (step.isStall && !column.isStall))
            column.token = token;
        column.isStall |= step.isStall;
        column.longestMs = std::max(column.longestMs, step.hasPause ? 0 : step.stepMs.value_or(0));
    }
    update();
}

int TimelineCanvas::columnOf(double ms) const
{
    return std::clamp(m_scale.xOf(ms), 0, int(m_columns.size()) - 1);
}

int TimelineCanvas::xOf(int token) const
{
    const auto& decided = m_line->steps[size_t(token)].decidedMs;
    return decided && m_scale.isSeen(*decided) ? columnOf(*decided) : -1;
}

int TimelineCanvas::passAt(int x) const
{
    if (!m_line)
        return -1;
    const auto& passes = m_line->passes;
    const double ms = m_scale.msAt(x);
    const auto after = std::partition_point(passes.begin(), passes.end(),
        [ms](const app::TimelinePass& pass) { return pass.pass.startMs <= ms; });
    if (after != passes.begin()
        && (ms <= std::prev(after)->endMs() || m_scale.xOf(std::prev(after)->endMs()) >= x - 1))
        return int(after - passes.begin()) - 1;
    // A stroke is a column wide, however short its pass was.
    return after != passes.end() && m_scale.xOf(after->pass.startMs) <= x + 1
        ? int(after - passes.begin())
        : -1;
}

void TimelineCanvas::choosePass(int pass)
{
    m_pass = pass;
    const int token = m_line->passes[size_t(pass)].token;
    reveal(m_line->passes[size_t(pass)].pass.startMs);
    update();
    emit passChanged();
    if (token >= 0)
        emit tokenChosen(token);
}

void TimelineCanvas::zoomAt(double factor, int x)
{
    m_scale.zoom(factor, x);
    measure();
    emit scaleChanged();
}

void TimelineCanvas::zoom(double factor)
{
    const int x = m_line && m_current >= 0 ? xOf(m_current) : -1;
    zoomAt(factor, x >= 0 ? x : width() / 2);
}

void TimelineCanvas::showAll()
{
    m_scale.showAll();
    measure();
    emit scaleChanged();
}

void TimelineCanvas::scrollTo(double leftMs)
{
    m_scale.scrollTo(leftMs);
    measure();
    emit scaleChanged();
}

void TimelineCanvas::reveal(double ms)
{
    if (!m_scale.isSeen(ms))
        scrollTo(ms - m_scale.seenMs() / 2);
}

bool TimelineCanvas::zoomsBy(int key)
{
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoom(kZoomStep);
    else if (key == Qt::Key_Minus)
        zoom(1 / kZoomStep);
    else if (key == Qt::Key_0)
        showAll();
    else
        return false;
    return true;
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
    const int before = m_current;
    m_current = m_line && token >= 0 && token < int(m_line->steps.size()) ? token : -1;
    const bool isOfPass = m_line && m_pass >= 0 && m_line->passes[size_t(m_pass)].token == m_current;
    if (m_current >= 0 && !isOfPass)
        m_pass = m_line->passOf(m_current);
    if (m_current >= 0 && m_current != before && m_line->steps[size_t(m_current)].decidedMs)
        reveal(*m_line->steps[size_t(m_current)].decidedMs);
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

QSize TimelineCanvas::sizeHint() const { return { gridUnit(this) * 24, gridUnit(this) * 16 }; }
QSize TimelineCanvas::minimumSizeHint() const
{
    return { gridUnit(this) * 8, sizeHint().height() };
}

QRect TimelineCanvas::phaseRect() const { return { 0, 0, width(), gridUnit(this) * 3 }; }

QRect TimelineCanvas::momentRect() const
{
    const int top = phaseRect().bottom() + 1 + gridUnit(this) / 4;
    return { 0, top, width(), m_line && !m_line->moments.empty() ? fontMetrics().height() : 0 };
}

QRect TimelineCanvas::passRect() const
{
    const int top = momentRect().bottom() + 1 + gridUnit(this) / 4;
    return { 0, top, width(), m_line && !m_line->passes.empty() ? gridUnit(this) * 2 : 0 };
}

QRect TimelineCanvas::tickRect() const
{
    const int top = passRect().bottom() + 1 + (passRect().isEmpty() ? 0 : gridUnit(this) / 2);
    const int below = std::max(4, gridUnit(this) / 2) + 1; // the current token's triangle
    return { 0, top, width(), height() - top - fontMetrics().height() - below };
}

void TimelineCanvas::resizeEvent(QResizeEvent*) { measure(); }

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    const int x = int(event->position().x());
    if (event->button() != Qt::LeftButton)
        return;
    if (passRect().contains(event->position().toPoint())) {
        if (const int pass = passAt(x); pass >= 0)
            choosePass(pass);
        return;
    }
    if (const int token = tokenAt(x); token >= 0)
        emit tokenChosen(token);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(tokenAt(int(event->position().x())));
}

void TimelineCanvas::leaveEvent(QEvent*) { setHovered(-1); }

bool TimelineCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_line) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int pass = passRect().contains(help->pos()) ? passAt(help->pos().x()) : -1;
        const QString words = pass >= 0                ? passWords(*m_line, pass)
            : momentRect().contains(help->pos()) ? momentsWords(*m_line)
                                                 : QString();
        QToolTip::showText(help->globalPos(), words.toHtmlEscaped(), this);
        return true;
    }
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

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        zoomAt(std::pow(kZoomStep, turn.y() / kWheelNotch), int(event->position().x()));
        return event->accept();
    }
    const int across = turn.x() != 0 ? turn.x()
        : event->modifiers() & Qt::ShiftModifier ? turn.y()
                                                 : 0;
    if (across == 0 || !m_scale.isZoomed())
        return event->ignore(); // the page around it scrolls
    scrollTo(m_scale.leftMs() - across / kWheelNotch * m_scale.seenMs() / 8);
    event->accept();
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
    // Plus may need Shift to be typed.
    if ((modifiers & ~Qt::ShiftModifier) == 0 && zoomsBy(event->key()))
        return;
    if (modifiers == 0 && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        const int passCount = m_line ? int(m_line->passes.size()) : 0;
        const int step = event->key() == Qt::Key_Down ? 1 : -1;
        const int pass = m_pass < 0 && step < 0 ? passCount - 1 : m_pass + step;
        if (pass >= 0 && pass < passCount)
            choosePass(pass);
        return;
    }
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
    if (const auto& decided = m_line->steps[size_t(next)].decidedMs)
        reveal(*decided); // also when it is the current one already
    emit tokenChosen(next);
}

} // namespace ui
