#include "ui/inspect/candidate_list.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

CandidateList::CandidateList(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    setAccessibleName(tr("Likeliest tokens"));
}

void CandidateList::setRows(const std::vector<CandidateWords>& rows)
{
    while (m_rows.size() < rows.size()) {
        auto* row = new CandidateRow(this);
        const int index = int(m_rows.size());
        connect(row, &CandidateRow::focused, this, [this, index] {
            setCurrent(index);
            emit entered();
        });
        m_column->addWidget(row);
        m_rows.push_back(row);
    }
    // Shown again with the same candidates, the current one stays.
    bool isSame = m_shown == int(rows.size());
    m_shown = int(rows.size());
    CandidateRow::Columns columns;
    int chosen = 0;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < rows.size());
        if (i >= rows.size())
            continue;
        isSame = isSame && m_rows[i]->words().id == rows[i].id;
        m_rows[i]->setWords(rows[i]);
        const CandidateRow::Columns needed = m_rows[i]->neededColumns();
        columns = { std::max(columns.raw, needed.raw), std::max(columns.outcome, needed.outcome) };
        if (rows[i].isChosen)
            chosen = int(i);
    }
    for (CandidateRow* row : m_rows)
        row->setColumns(columns);
    setCurrent(isSame ? m_current : chosen);
}

std::optional<engine::TokenId> CandidateList::current() const
{
    if (m_current >= m_shown || m_rows[size_t(m_current)]->words().id < 0)
        return std::nullopt;
    return m_rows[size_t(m_current)]->words().id;
}

void CandidateList::setCurrent(int index)
{
    m_current = index;
    for (size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->setFocusPolicy(int(i) == index ? Qt::StrongFocus : Qt::ClickFocus);
    emit currentChanged();
}

bool CandidateList::event(QEvent* event)
{
    // F is the candidate's own here, whatever the window does with it elsewhere.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F && key->modifiers() == Qt::NoModifier && current()) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void CandidateList::keyPressEvent(QKeyEvent* event)
{
    int next = -1;
    switch (event->key()) {
    case Qt::Key_Up:
        next = m_current - 1;
        break;
    case Qt::Key_Down:
        next = m_current + 1;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = m_shown - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F:
        if (event->modifiers() & ~Qt::KeypadModifier || !current())
            break;
        emit activated(*current());
        return;
    default:
        break;
    }
    if (next < 0 || next >= m_shown || (event->modifiers() & ~Qt::KeypadModifier)) {
        event->ignore();
        return;
    }
    m_rows[size_t(next)]->setFocus();
    // An area that scrolls follows the tab key by itself, but not this.
    for (QWidget* around = parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around))
            area->ensureWidgetVisible(m_rows[size_t(next)], 0, m_rows[size_t(next)]->height());
}

} // namespace ui
