#include "ui/chat/turn_actions.h"

#include "ui/chat/quiet_button.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>

namespace ui {

TurnActions::TurnActions(QWidget* parent)
    : QWidget(parent)
    , m_line(new QHBoxLayout(this))
{
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(gridUnit(this) / 4);
    m_line->addStretch(1);
    m_previous = add(IconName::ChevronLeft, tr("Previous version of this message"),
        tr("Previous version of this message"));
    m_siblings = new QLabel(this);
    m_siblings->setTextFormat(Qt::PlainText);
    m_siblings->setForegroundRole(QPalette::PlaceholderText);
    m_line->addWidget(m_siblings);
    m_next = add(IconName::ChevronRight, tr("Next version of this message"),
        tr("Next version of this message"));
    QToolButton* edit = add(IconName::Edit, tr("Edit message"),
        tr("Edit as a branch: the message and its answers so far are kept"));
    QToolButton* copy = add(IconName::Copy, tr("Copy message"), tr("Copy the message"));
    QToolButton* remove = add(IconName::Trash, tr("Delete message"),
        tr("Delete this message and what follows it; it can be brought back for a while"));
    connect(m_previous, &QToolButton::clicked, this, [this] { emit siblingRequested(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit siblingRequested(1); });
    connect(edit, &QToolButton::clicked, this, &TurnActions::editRequested);
    connect(copy, &QToolButton::clicked, this, &TurnActions::copyRequested);
    connect(remove, &QToolButton::clicked, this, &TurnActions::removeRequested);
    setSiblings(0, 1);
}

QToolButton* TurnActions::add(IconName name, const QString& text, const QString& toolTip)
{
    auto* button = new QuietButton(this);
    button->setIcon(icon(name));
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    m_line->addWidget(button);
    return button;
}

void TurnActions::setSiblings(size_t shown, size_t count)
{
    renew(m_siblings, tr("%1/%2").arg(shown + 1).arg(count),
        tr("Version %1 of %2").arg(shown + 1).arg(count));
    for (QWidget* widget : { static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_siblings),
             static_cast<QWidget*>(m_next) })
        widget->setVisible(count > 1);
    m_previous->setEnabled(shown > 0);
    m_next->setEnabled(shown + 1 < count);
}

void TurnActions::setShown(bool shown)
{
    for (QuietButton* button : findChildren<QuietButton*>())
        button->setShown(shown);
}

} // namespace ui
