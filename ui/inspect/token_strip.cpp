#include "ui/inspect/token_strip.h"

#include "ui/inspect/accessible_strip.h"

#include <QAccessible>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>

namespace ui {

TokenStrip::TokenStrip(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_colours(palette())
{
    installAccessibleStrip();
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Tokens"));
    setAccessibleDescription(tr("Left and Right go from token to token, Up and Down from line to "
                                "line, Home and End to the first and the last."));
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    viewport()->setMouseTracking(true);
    applyStyle();
}

void TokenStrip::applyStyle()
{
    m_theme = Theme::of(palette());
    m_colours = TokenColours(palette(), m_colours.measure());
    m_chipFont = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (font().pointSizeF() > 0)
        m_chipFont.setPointSizeF(font().pointSizeF() * 0.95);
    m_widths.clear();
    const int unit = gridUnit(this);
    const int height = QFontMetrics(m_chipFont).height() + int(TokenColours::kUnderlineHeight);
    m_layout.setMetrics({ height + unit / 4, 2, std::max(4, unit / 2), unit });
    verticalScrollBar()->setSingleStep(height + unit / 4 + std::max(4, unit / 2));
    rebuild();
}

void TokenStrip::setTrack(const app::TokenTrack* track)
{
    m_track = track;
    m_current = -1;
    setHovered(-1);
    rebuild();
    setCurrent(track ? int(track->tokens().size()) - 1 : -1);
    if (m_current < 0)
        emit currentChanged(-1);
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TokenStrip::takeTokens(bool restarts)
{
    const bool wasAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    if (restarts) {
        rebuild();
        setHovered(-1);
        if (m_track && m_current >= int(m_track->tokens().size()))
            setCurrent(int(m_track->tokens().size()) - 1);
    } else {
        appendNew();
    }
    if (m_track && m_current < firstToken())
        setCurrent(int(m_track->tokens().size()) - 1);
    if (wasAtEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TokenStrip::rebuild()
{
    m_layout.clear();
    m_layout.setWidth(viewport()->width());
    m_shownFrom = firstToken();
    forgetChips(*this);
    appendNew();
    viewport()->update();
}

void TokenStrip::appendNew()
{
    if (!m_track || m_track->promptCount() < firstToken())
        return updateScrollBar();
    const int known = m_layout.count();
    const auto& tokens = m_track->tokens();
    for (int token = m_shownFrom + known; token < int(tokens.size()); ++token) {
        if (token == m_track->promptCount() && token > m_shownFrom)
            m_layout.breakLine(); // the answer starts a line
        const ChipText chip = chipText(tokens[size_t(token)]);
        m_layout.append(chipWidth(chip), chip.endsLine);
    }
    if (m_layout.count() == known)
        return;
    updateScrollBar();
    const int top = m_layout.chipRect(known).top() - verticalScrollBar()->value();
    viewport()->update(0, top, viewport()->width(), std::max(0, viewport()->height() - top));
}

int TokenStrip::firstToken() const
{
    return m_track && !m_isPromptShown ? m_track->promptCount() : 0;
}

int TokenStrip::chipWidth(const ChipText& chip)
{
    const QString text = chip.text();
    auto known = m_widths.find(text);
    if (known == m_widths.end())
        known = m_widths.insert(text, QFontMetrics(m_chipFont).horizontalAdvance(text));
    const int unit = gridUnit(this);
    return *known + (chip.isControl ? unit * 3 / 2 : unit);
}

void TokenStrip::setMeasure(TokenMeasure measure)
{
    m_colours = TokenColours(palette(), measure);
    viewport()->update();
    emit coloursChanged();
}

void TokenStrip::setPromptShown(bool shown)
{
    if (shown == m_isPromptShown)
        return;
    m_isPromptShown = shown;
    rebuild();
    if (m_track && m_current < firstToken())
        setCurrent(std::min(firstToken(), int(m_track->tokens().size()) - 1));
    reveal(m_current);
}

void TokenStrip::setCurrent(int token)
{
    const int count = m_track ? int(m_track->tokens().size()) : 0;
    if (token < firstToken() || token >= count)
        token = -1;
    if (token == m_current)
        return;
    updateToken(m_current);
    m_current = token;
    updateToken(m_current);
    reveal(m_current);
    if (hasFocus())
        tellFocus();
    emit currentChanged(m_current);
}

void TokenStrip::setHovered(int token)
{
    if (token == m_hovered)
        return;
    updateToken(m_hovered);
    m_hovered = token;
    updateToken(m_hovered);
    emit hoveredChanged(token);
}

void TokenStrip::tellFocus()
{
    if (m_current < 0)
        return;
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(m_current - m_shownFrom);
    QAccessible::updateAccessibility(&event);
}

QRect TokenStrip::tokenRect(int token) const
{
    const int chip = token - m_shownFrom;
    if (chip < 0 || chip >= m_layout.count())
        return {};
    return m_layout.chipRect(chip).translated(0, -verticalScrollBar()->value());
}

int TokenStrip::tokenAt(const QPoint& point) const
{
    const int chip = m_layout.chipAt(point + QPoint(0, verticalScrollBar()->value()));
    return chip < 0 ? -1 : chip + m_shownFrom;
}

QSize TokenStrip::sizeHint() const
{
    const int unit = gridUnit(this);
    return { unit * 40, unit * 30 };
}

void TokenStrip::updateToken(int token)
{
    const QRect rect = tokenRect(token);
    if (!rect.isEmpty())
        viewport()->update(rect.adjusted(-3, -3, 3, 3)); // with its ring
}

void TokenStrip::reveal(int token)
{
    const QRect rect = tokenRect(token);
    if (rect.isEmpty())
        return;
    QScrollBar& bar = *verticalScrollBar();
    const int margin = gridUnit(this);
    if (rect.top() < margin)
        bar.setValue(bar.value() + rect.top() - margin);
    else if (rect.bottom() > viewport()->height() - margin)
        bar.setValue(bar.value() + rect.bottom() - viewport()->height() + margin);
}

void TokenStrip::updateScrollBar()
{
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height() - viewport()->height()));
}

void TokenStrip::resizeEvent(QResizeEvent*)
{
    const bool wasAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    m_layout.setWidth(viewport()->width());
    updateScrollBar();
    if (wasAtEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    viewport()->update();
}

void TokenStrip::scrollContentsBy(int, int dy) { viewport()->scroll(0, dy); }

void TokenStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = m_shownFrom + m_layout.count() - 1;
    const bool isPlain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (!isPlain || last < m_shownFrom)
        return QAbstractScrollArea::keyPressEvent(event);
    const int chip = std::max(m_current, m_shownFrom) - m_shownFrom;
    switch (event->key()) {
    case Qt::Key_Left:
        return setCurrent(std::max(m_shownFrom, m_current - 1));
    case Qt::Key_Right:
        return setCurrent(std::min(last, m_current + 1));
    case Qt::Key_Up:
        return setCurrent(m_shownFrom + m_layout.chipLinesAway(chip, -1));
    case Qt::Key_Down:
        return setCurrent(m_shownFrom + m_layout.chipLinesAway(chip, 1));
    case Qt::Key_Home:
        return setCurrent(m_shownFrom);
    case Qt::Key_End:
        return setCurrent(last);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TokenStrip::mousePressEvent(QMouseEvent* event)
{
    const int token = tokenAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && token >= 0)
        setCurrent(token);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(tokenAt(event->position().toPoint()));
}

bool TokenStrip::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        setHovered(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange
        || event->type() == QEvent::StyleChange)
        applyStyle();
    if (event->type() == QEvent::PaletteChange)
        emit coloursChanged();
    QAbstractScrollArea::changeEvent(event);
}

void TokenStrip::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    updateToken(m_current);
    tellFocus();
}

void TokenStrip::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    updateToken(m_current);
}

} // namespace ui
