#include "ui/inspect/vocabulary_search.h"

#include "ui/inspect/candidate_list.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kRowsInView = 8;
}

VocabularySearch::VocabularySearch(QWidget* parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_state(new NoteLabel(this))
    , m_area(new QScrollArea(this))
    , m_matches(new CandidateList)
{
    m_field->setObjectName(QStringLiteral("vocabularyField"));
    m_field->setPlaceholderText(tr("Find in the whole vocabulary"));
    m_field->setAccessibleName(tr("Find a token in the whole vocabulary"));
    m_field->setToolTip(tr("Part of a token's text, or its id as #335. The model's scores are read anew, so that every "
                           "token has its rank, its probability and the stage that dropped it."));
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_state->setObjectName(QStringLiteral("vocabularyState"));
    m_matches->setAccessibleName(tr("Tokens that match"));
    m_area->setObjectName(QStringLiteral("vocabularyMatches"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidget(m_matches);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this) / 2);
    column->addWidget(m_field);
    column->addWidget(m_state);
    column->addWidget(m_area);
    connect(m_field, &QLineEdit::textChanged, this, &VocabularySearch::textChanged);
    setState({});
    setMatches({});
    hide();
}

QString VocabularySearch::text() const { return m_field->text(); }

void VocabularySearch::setObstacle(const QString& words)
{
    m_field->setEnabled(words.isEmpty());
    if (!words.isEmpty())
        setState(words);
}

void VocabularySearch::setState(const QString& words)
{
    m_state->setVisible(!words.isEmpty());
    if (m_state->text() != words)
        m_state->setNote(words);
}

void VocabularySearch::setMatches(const std::vector<CandidateWords>& rows)
{
    m_matches->setRows(rows);
    m_area->setVisible(!rows.empty());
    if (rows.empty())
        return;
    const int rowHeight = m_matches->row(0)->sizeHint().height();
    m_area->setFixedHeight(rowHeight * std::min(int(rows.size()), kRowsInView));
    m_area->verticalScrollBar()->setValue(0);
}

/// Down goes from the field to the first match.
bool VocabularySearch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && m_matches->rowCount() > 0
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        m_matches->row(0)->setFocus(Qt::TabFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
