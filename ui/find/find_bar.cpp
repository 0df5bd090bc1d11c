#include "ui/find/find_bar.h"

#include "ui/chat/text_surface.h"
#include "ui/find/find_line.h"
#include "ui/find/text_matches.h"
#include "ui/theme/icon.h"
#include "ui/theme/labels.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace ui {

namespace {
    // Often enough for the eye while an answer is written.
    constexpr int kRefreshMs = 300;
}

FindBar::FindBar(ChatView& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_line(new FindLine(this))
    , m_count(new QLabel(this))
{
    const int unit = gridUnit(this);
    m_line->setObjectName(QStringLiteral("findInChat"));
    m_line->setPlaceholderText(tr("Find in this chat"));
    m_line->setAccessibleName(tr("Find in this chat"));
    m_line->setToolTip(tr("Enter: next, Shift+Enter: previous, Esc: close"));
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setTextFormat(Qt::PlainText);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(tr("no matches")));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, unit / 2, 0, unit / 2);
    row->setSpacing(unit);
    row->addWidget(m_line, 1);
    row->addWidget(m_count);
    QToolButton* previous = addButton(tr("Previous match (Shift+F3)"), &FindBar::previous);
    previous->setArrowType(Qt::UpArrow);
    QToolButton* next = addButton(tr("Next match (F3)"), &FindBar::next);
    next->setArrowType(Qt::DownArrow);
    addButton(tr("Close (Esc)"), &FindBar::close)->setIcon(icon(IconName::Close));
    hide();

    m_refreshTimer.setSingleShot(true);
    m_refreshTimer.setInterval(kRefreshMs);
    connect(&m_refreshTimer, &QTimer::timeout, this, [this] {
        search();
        showCount();
    });
    connect(m_line, &QLineEdit::textChanged, this, [this] {
        search();
        // From the place that is selected now, so that typing on does not jump away.
        const auto from = m_current
            ? std::lower_bound(m_matches.begin(), m_matches.end(), *m_current)
            : m_matches.begin();
        if (!m_matches.empty())
            select(from == m_matches.end() ? 0 : size_t(from - m_matches.begin()));
        else
            m_view.clearMatch();
        showCount();
    });
    connect(m_line, &FindLine::nextRequested, this, &FindBar::next);
    connect(m_line, &FindLine::previousRequested, this, &FindBar::previous);
    connect(m_line, &FindLine::closeRequested, this, &FindBar::close);
    connect(m_line, &FindLine::stepRequested, this, [this](int direction) { step(direction); });
}

QToolButton* FindBar::addButton(const QString& toolTip, void (FindBar::*slot)())
{
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    connect(button, &QToolButton::clicked, this, slot);
    layout()->addWidget(button);
    return button;
}

void FindBar::open()
{
    const bool wasHidden = isHidden();
    show();
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
    if (!wasHidden)
        return;
    m_current.reset();
    search();
    showCount();
}

void FindBar::close()
{
    if (isHidden())
        return;
    hide();
    m_refreshTimer.stop();
    emit closed();
}

void FindBar::next() { step(1); }
void FindBar::previous() { step(-1); }

void FindBar::refresh()
{
    if (!isHidden() && !m_refreshTimer.isActive())
        m_refreshTimer.start();
}

void FindBar::search()
{
    m_matches.clear();
    const app::Conversation* conversation = m_view.conversation();
    if (std::exchange(m_searched, conversation) != conversation)
        m_current.reset();
    for (size_t i = 0; conversation && i < conversation->turnCount(); ++i)
        if (const TextSurface* surface = m_view.surfaceAt(i))
            for (const TextRange& range : textMatches(surface->plainText(), m_line->text()))
                m_matches.push_back({ i, range });
}

void FindBar::step(int direction)
{
    if (isHidden())
        return open();
    search();
    if (!m_matches.empty()) {
        const size_t count = m_matches.size();
        const auto at = m_current ? std::lower_bound(m_matches.begin(), m_matches.end(), *m_current)
                                  : m_matches.end();
        const size_t index = size_t(at - m_matches.begin());
        const bool isThere = at != m_matches.end() && m_current && *at == *m_current;
        if (direction > 0)
            select((isThere ? index + 1 : index) % count);
        else
            select((index + count - 1) % count);
    }
    showCount();
}

void FindBar::select(size_t index)
{
    m_current = m_matches[index];
    m_view.showMatch(m_current->turnIndex, m_current->range);
}

void FindBar::showCount()
{
    const auto at
        = m_current ? std::find(m_matches.begin(), m_matches.end(), *m_current) : m_matches.end();
    const int count = int(m_matches.size());
    renew(m_count,
        m_line->text().isEmpty()    ? QString()
            : count == 0            ? tr("no matches")
            : at == m_matches.end() ? (count == 1 ? tr("1 match") : tr("%L1 matches").arg(count))
                                    : tr("%L1 of %L2").arg(at - m_matches.begin() + 1).arg(count));
}

} // namespace ui
