#include "ui/inspect/timeline_canvas.h"

#include "ui/inspect/timeline_words.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    constexpr int kLeastTick = 3; // pixels: a quick token is seen too
    constexpr int kLeastPass = 3; // pixels: narrower ones are one stroke
    constexpr double kZoomStep = 1.5;
    constexpr double kWheelNotch = 120; // eighths of a degree
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
    if (!line || m_pass >= int(line->passes.size()))
        m_pass = -1;
    measure();
    setHovered(-1);
}

void TimelineCanvas::measure()
{
    m_columns.assign(size_t(std::max(1, width())), Column {});
    if (m_line)
        m_scale.setRun(m_line->endMs, int(m_columns.size()));
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

QSize TimelineCanvas::sizeHint() const { return { gridUnit(this) * 24, gridUnit(this) * 14 }; }
QSize TimelineCanvas::minimumSizeHint() const
{
    return { gridUnit(this) * 8, sizeHint().height() };
}

QRect TimelineCanvas::phaseRect() const { return { 0, 0, width(), gridUnit(this) * 3 }; }

QRect TimelineCanvas::passRect() const
{
    const int top = phaseRect().bottom() + 1 + gridUnit(this) / 2;
    return { 0, top, width(), m_line && !m_line->passes.empty() ? gridUnit(this) * 2 : 0 };
}

QRect TimelineCanvas::tickRect() const
{
    const int top = passRect().bottom() + 1 + (passRect().isEmpty() ? 0 : gridUnit(this) / 2);
    return { 0, top, width(), height() - top - fontMetrics().height() };
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.page);
    if (m_line && m_line->endMs > 0) {
        paintPhases(painter);
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
    const QRect scale(2, lane.bottom() + 2, width() - 4, fontMetrics().height());
    painter.setPen(theme.mutedText);
    painter.drawText(scale, Qt::AlignLeft | Qt::AlignVCenter,
        m_scale.isZoomed() ? momentWords(m_scale.leftMs()) : tr("0 ms"));
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
        const QString words = pass >= 0 ? passWords(*m_line, pass) : QString();
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
