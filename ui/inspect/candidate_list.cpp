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
    m_nextPortion.setSingleShot(true);
    connect(&m_nextPortion, &QTimer::timeout, this, &CandidateList::showPortion);
}

void CandidateList::setRows(const std::vector<CandidateWords>& rows)
{
    // Shown again with the same candidates, the current one stays.
    const bool isSame = std::ranges::equal(m_words, rows, {}, &CandidateWords::id, &CandidateWords::id);
    m_words = rows;
    m_columns = {};
    int chosen = 0;
    for (size_t i = 0; i < m_words.size(); ++i) {
        const CandidateRow::Columns needed = CandidateRow::neededColumns(m_words[i], fontMetrics());
        m_columns = { std::max(m_columns.raw, needed.raw), std::max(m_columns.outcome, needed.outcome) };
        if (m_words[i].isChosen)
            chosen = int(i);
    }
    if (!isSame) {
        m_current = chosen;
        m_shown = 0;
        showPortion();
    }
    for (size_t i = size_t(m_shown); i < m_rows.size(); ++i)
        m_rows[i]->hide();
    if (!isSame)
        return;
    for (int i = 0; i < m_shown; ++i) {
        m_rows[size_t(i)]->setWords(m_words[size_t(i)]);
        m_rows[size_t(i)]->setColumns(m_columns);
    }
    emit currentChanged();
}

CandidateRow* CandidateList::rowFor(int index)
{
    if (index < int(m_rows.size()))
        return m_rows[size_t(index)];
    auto* row = new CandidateRow(this);
    connect(row, &CandidateRow::focused, this, [this, index] {
        setCurrent(index);
        emit entered();
    });
    m_column->addWidget(row);
    m_rows.push_back(row);
    return row;
}

void CandidateList::showPortion()
{
    const int end = std::min(int(m_words.size()), m_shown + kPortion);
    const bool hasCurrent = m_shown == 0 || (m_current >= m_shown && m_current < end);
    for (int i = m_shown; i < end; ++i) {
        CandidateRow* row = rowFor(i);
        row->setWords(m_words[size_t(i)]);
        row->setColumns(m_columns);
        row->setFocusPolicy(i == m_current ? Qt::StrongFocus : Qt::ClickFocus);
        row->show();
    }
    m_shown = end;
    if (m_shown < int(m_words.size()))
        m_nextPortion.start(0);
    else
        m_nextPortion.stop();
    if (hasCurrent)
        emit currentChanged();
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
