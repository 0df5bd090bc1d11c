#include "ui/inspect/fork_line.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace ui {

ForkLine::ForkLine(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLineEdit(this))
    , m_fork(new QToolButton(this))
{
    m_text->setPlaceholderText(tr("Your own words from here on"));
    m_text->setAccessibleName(tr("Your own words from the current token on"));
    m_text->setToolTip(tr("A leading blank counts: most tokens of words begin with one"));
    m_fork->setText(tr("Fork here"));
    m_fork->setAccessibleName(tr("Fork here with your own words"));
    m_fork->setToolTip(tr("Writes the answer on from these words as a new branch; the old one stays"));
    m_fork->setFocusPolicy(Qt::StrongFocus);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_text, 1);
    line->addWidget(m_fork);
    connect(m_text, &QLineEdit::textChanged, this, &ForkLine::enableParts);
    connect(m_text, &QLineEdit::returnPressed, this, &ForkLine::ask);
    connect(m_fork, &QToolButton::clicked, this, &ForkLine::ask);
    enableParts();
}

void ForkLine::setPossible(bool possible)
{
    m_isPossible = possible;
    enableParts();
}

void ForkLine::clear() { m_text->clear(); }

void ForkLine::enableParts()
{
    m_text->setEnabled(m_isPossible);
    m_fork->setEnabled(m_isPossible && !m_text->text().isEmpty());
}

void ForkLine::ask()
{
    if (m_fork->isEnabled())
        emit forkRequested(m_text->text());
}

} // namespace ui
