#include "ui/inspect/curve_canvas.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    constexpr size_t kEnding = 2; // among TokenCurves::kNumbers
    constexpr float kLeastScaleNats = 2; // a curve of tiny values stays low

    QString laneName(size_t curve)
    {
        constexpr const char* kNames[] = { QT_TRANSLATE_NOOP("ui::CurveCanvas", "surprisal"),
            QT_TRANSLATE_NOOP("ui::CurveCanvas", "entropy"),
            QT_TRANSLATE_NOOP("ui::CurveCanvas", "ending here") };
        return CurveCanvas::tr(kNames[curve]);
    }
}

CurveCanvas::CurveCanvas(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CurveCanvas::setCurves(const app::TokenCurves* curves)
{
    m_curves = curves;
    measure();
    setHovered(-1);
}

void CurveCanvas::measure()
{
    const int count = m_curves ? m_curves->tokenCount() : 0;
    m_layout = CurveLayout(count, width());
    for (size_t curve = 0; curve < m_columns.size(); ++curve)
        m_columns[curve]
            = count > 0 ? m_layout.columnsOf(m_curves->values(curve)) : std::vector<CurveColumn>();
    update();
}

void CurveCanvas::setCurrent(int token)
{
    m_current = token;
    update();
}

void CurveCanvas::setHovered(int token)
{
    if (token == m_hovered)
        return;
    m_hovered = token;
    update();
    emit hoveredChanged();
}

int CurveCanvas::tokenAt(int x) const
{
    const int token = m_layout.tokenCount() > 0 ? m_layout.tokenAt(x) : -1;
    return token < 0 ? -1 : m_curves->firstToken() + token;
}

int CurveCanvas::xOf(int token) const
{
    const int index = token - m_curves->firstToken();
    const int first = m_layout.columnOf(index);
    const int next
        = index + 1 < m_layout.tokenCount() ? m_layout.columnOf(index + 1) : m_layout.columnCount();
    return first + std::max(0, next - first - 1) / 2;
}

QSize CurveCanvas::sizeHint() const
{
    return { gridUnit(this) * 24, int(m_columns.size()) * gridUnit(this) * 4 };
}
QSize CurveCanvas::minimumSizeHint() const { return { gridUnit(this) * 8, sizeHint().height() }; }

QRect CurveCanvas::laneRect(size_t curve) const
{
    const int height = this->height() / int(m_columns.size());
    return { 0, int(curve) * height, width(), height };
}

void CurveCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(palette()).page);
    for (size_t curve = 0; curve < m_columns.size(); ++curve)
        paintLane(painter, curve);
    if (m_hovered >= 0)
        paintMark(painter, m_hovered, false);
    if (m_curves && m_current >= m_curves->firstToken()
        && m_current < m_curves->firstToken() + m_curves->tokenCount())
        paintMark(painter, m_current, true);
    if (hasFocus()) {
        painter.setPen(QPen(Theme::of(palette()).accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void CurveCanvas::paintLane(QPainter& painter, size_t curve) const
{
    const Theme theme = Theme::of(palette());
    const QRect lane = laneRect(curve).adjusted(0, 2, 0, -1);
    const int bottom = lane.bottom();
    painter.setPen(theme.hairline);
    painter.drawLine(0, bottom, width(), bottom);
    const auto peak = m_curves ? m_curves->peak(curve) : std::nullopt;
    const float most = curve == kEnding ? 1 : std::max(kLeastScaleNats, peak ? peak->value : 0);
    const auto y = [&](float value) {
        return bottom - int(std::clamp(value / most, 0.0f, 1.0f) * float(lane.height() - 2));
    };
    const QColor colour = curve == kEnding ? theme.caution : curve == 0 ? theme.text : theme.accent;
    QColor fill = colour;
    fill.setAlphaF(0.18f);
    std::vector<QLine> lines;
    std::vector<QLine> below;
    const CurveColumn* last = nullptr;
    for (int x = 0; x < int(m_columns[curve].size()); ++x) {
        const CurveColumn& column = m_columns[curve][size_t(x)];
        const CurveColumn* before = last;
        last = column.isEmpty ? nullptr : &column;
        if (column.isEmpty)
            continue;
        // Joined to its neighbour, so that it reads as one line.
        const float low = before ? std::min(column.low, before->high) : column.low;
        const float high = before ? std::max(column.high, before->low) : column.high;
        lines.emplace_back(x, y(low), x, y(high));
        if (y(low) < bottom)
            below.emplace_back(x, y(low), x, bottom);
    }
    painter.setPen(fill);
    painter.drawLines(below.data(), int(below.size()));
    painter.setPen(colour);
    painter.drawLines(lines.data(), int(lines.size()));

    const QString name = laneName(curve);
    const QRect label(
        2, lane.top(), fontMetrics().horizontalAdvance(name) + 6, fontMetrics().height());
    QColor veil = theme.page;
    veil.setAlphaF(0.8f);
    painter.fillRect(label, veil);
    painter.setPen(theme.mutedText);
    painter.drawText(label.adjusted(2, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, name);
}

void CurveCanvas::paintMark(QPainter& painter, int token, bool isCurrent) const
{
    const Theme theme = Theme::of(palette());
    const int x = xOf(token);
    painter.setPen(
        QPen(isCurrent ? theme.text : theme.mutedText, 1, isCurrent ? Qt::SolidLine : Qt::DotLine));
    painter.drawLine(x, 0, x, height());
    if (!isCurrent)
        return;
    const int half = gridUnit(this) / 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(
        QPolygonF { { x + 0.5 - half, 0.0 }, { x + 0.5 + half, 0.0 }, { x + 0.5, double(half) } });
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void CurveCanvas::resizeEvent(QResizeEvent*) { measure(); }

void CurveCanvas::mousePressEvent(QMouseEvent* event)
{
    const int token = tokenAt(int(event->position().x()));
    if (event->button() == Qt::LeftButton && token >= 0)
        emit tokenChosen(token);
}

void CurveCanvas::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(tokenAt(int(event->position().x())));
}

void CurveCanvas::leaveEvent(QEvent*) { setHovered(-1); }

bool CurveCanvas::event(QEvent* event)
{
    // N is the curve's own here, whatever the window does with it elsewhere.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_N && (key->modifiers() & ~Qt::ShiftModifier) == 0) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void CurveCanvas::keyPressEvent(QKeyEvent* event)
{
    const int count = m_layout.tokenCount();
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->key() == Qt::Key_N && (modifiers == 0 || modifiers == Qt::ShiftModifier)) {
        emit jumpRequested(modifiers == 0 ? 1 : -1);
        return;
    }
    const int first = count > 0 ? m_curves->firstToken() : 0;
    const int last = first + count - 1;
    int next = -1;
    if (event->key() == Qt::Key_Left)
        next = m_current < 0 ? last : m_current - 1;
    else if (event->key() == Qt::Key_Right)
        next = std::max(first, m_current + 1);
    else if (event->key() == Qt::Key_Home)
        next = first;
    else if (event->key() == Qt::Key_End)
        next = last;
    if (modifiers != 0 || next < first || next > last) {
        event->ignore();
        return;
    }
    emit tokenChosen(next);
}

} // namespace ui
