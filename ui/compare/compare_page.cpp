#include "ui/compare/compare_page.h"

#include "ui/chat/text_surface.h"
#include "ui/compare/compare_body.h"
#include "ui/compare/compare_head.h"
#include "ui/compare/compare_text.h"
#include "ui/theme/labels.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr int kColumnUnits = 24; ///< the least width

    DraftWords problemWords(const app::GridCell& cell)
    {
        DraftWords words;
        words.state = cell.problem   ? cell.problem->title
            : !cell.state.isEmpty() ? cell.state
                                    : ComparePage::tr("This answer is gone");
        words.icon = cell.isToCome ? IconName::Partial : IconName::Warning;
        words.tone = cell.problem ? Tone::Danger : Tone::Neutral;
        words.spoken = words.state;
        return words;
    }
}

ComparePage::ComparePage(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_prompt(new ElidedLabel(this))
    , m_counts(new QLabel(this))
    , m_lengths(new QLabel(this))
    , m_passed(new QLabel(this))
    , m_note(new NoteLabel(this))
    , m_stopAll(new QPushButton(tr("Stop all"), this))
    , m_copyTable(new QPushButton(tr("Copy as a table"), this))
    , m_more(new QPushButton(tr("Other settings…"), this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_across(new QScrollArea(m_splitter))
    , m_down(new QScrollArea(m_across))
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("Compare runs"));
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(unit, unit, unit, unit);
    page->setSpacing(unit / 2);
    page->addWidget(buildHeader());
    page->addWidget(m_note);
    page->addWidget(m_splitter, 1);

    auto* content = new QWidget(m_across);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit / 2);
    m_heads = new QHBoxLayout;
    m_heads->setSpacing(unit);
    column->addLayout(m_heads);
    auto* texts = new QWidget(m_down);
    m_texts = new QHBoxLayout(texts);
    m_texts->setContentsMargins(0, 0, 0, unit);
    m_texts->setSpacing(unit);
    m_down->setWidget(texts);
    m_down->setWidgetResizable(true);
    m_down->setFrameShape(QFrame::NoFrame);
    m_down->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always there, so that heads and texts have the same width.
    m_down->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_down->setAccessibleName(tr("Texts of the runs"));
    m_heads->setContentsMargins(0, 0, m_down->verticalScrollBar()->sizeHint().width(), 0);
    column->addWidget(m_down, 1);
    m_across->setWidget(content);
    m_across->setWidgetResizable(true);
    m_across->setFrameShape(QFrame::NoFrame);
    m_across->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_across->setFocusPolicy(Qt::NoFocus);
    m_splitter->addWidget(m_across);
    m_splitter->setChildrenCollapsible(false);
    // Texts lie on the page, like those of the chat.
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    for (QWidget* widget : { m_across->viewport(), content, m_down->viewport(), texts })
        widget->setAutoFillBackground(false);
}

QWidget* ComparePage::buildHeader()
{
    const int unit = gridUnit(this);
    auto* header = new QWidget(this);
    auto* lines = new QVBoxLayout(header);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(unit / 2);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_prompt->setFont(strong);
    m_prompt->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    lines->addWidget(m_prompt);
    auto* line = new QHBoxLayout;
    line->setSpacing(unit);
    for (QLabel* label : { m_counts, m_lengths, m_passed }) {
        label->setTextFormat(Qt::PlainText);
        line->addWidget(label);
    }
    m_counts->setObjectName(QStringLiteral("runCounts"));
    m_lengths->setObjectName(QStringLiteral("runLengths"));
    m_passed->setObjectName(QStringLiteral("checksPassed"));
    for (QLabel* label : { m_lengths, m_passed })
        label->setForegroundRole(QPalette::PlaceholderText);
    line->addStretch(1);
    for (QPushButton* button : { m_stopAll, m_more, m_copyTable })
        line->addWidget(button);
    lines->addLayout(line);
    m_stopAll->setObjectName(QStringLiteral("stopAllRuns"));
    m_stopAll->setToolTip(tr("Ends every run that is under way; what was written is kept"));
    m_copyTable->setObjectName(QStringLiteral("copyRunTable"));
    m_copyTable->setToolTip(tr("Copies a line for each run, for a spreadsheet"));
    m_more->setToolTip(tr("Compare the answer of the chosen column with other settings"));
    connect(m_stopAll, &QPushButton::clicked, this, &ComparePage::stopAll);
    connect(m_copyTable, &QPushButton::clicked, this, [this] { copyToClipboard(comparedTable(answers())); });
    connect(m_more, &QPushButton::clicked, this, [this] {
        if (m_conversation && m_current >= 0)
            emit settingsRequested(m_conversation, m_columns[size_t(m_current)].cell.answer);
    });
    return header;
}

void ComparePage::setCells(app::Conversation& conversation, std::vector<app::GridCell> cells)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    for (const Column& column : m_columns) {
        delete column.head;
        delete column.body;
    }
    m_columns.clear();
    m_current = -1;
    m_conversation = &conversation;
    for (app::GridCell& cell : cells)
        addColumn(std::move(cell));
    connect(&conversation, &app::Conversation::answerChanged, this, [this](const app::Turn& turn) {
        for (Column& column : m_columns)
            if (column.cell.answer == turn.id) {
                updateColumn(column);
                markCommon();
                updateHeader();
                emit answersChanged();
            }
    });
    // Later: it is told while a text paints itself. A short run may end before it is first seen.
    connect(&conversation, &app::Conversation::painted, this, &ComparePage::updateEnded, Qt::QueuedConnection);
    connect(&conversation, &app::Conversation::branchChanged, this, &ComparePage::updateAll);
    connect(&conversation, &QObject::destroyed, this, &QWidget::close);
    tell({});
    fitWidth();
    updateAll();
    setCurrent(0);
}

void ComparePage::addCell(app::GridCell cell)
{
    addColumn(std::move(cell));
    fitWidth();
    updateAll();
}

void ComparePage::fitWidth()
{
    m_across->widget()->setMinimumWidth(int(m_columns.size()) * kColumnUnits * gridUnit(this));
}

void ComparePage::setCell(size_t column, app::GridCell cell)
{
    if (column >= m_columns.size())
        return;
    m_columns[column].cell = std::move(cell);
    updateColumn(m_columns[column]);
    markCommon();
    updateHeader();
    emit answersChanged();
}

void ComparePage::addColumn(app::GridCell cell)
{
    const QString name = columnName(m_columns.size());
    Column column { std::move(cell), new CompareHead(name, m_across->widget()), new CompareBody(m_down->widget()) };
    column.text = &column.body->text();
    const int index = int(m_columns.size());
    column.head->setLabel(column.cell.label);
    column.text->setAccessibleName(tr("Text of run %1").arg(name));
    column.text->setFocusProxy(column.head);
    column.text->setMinimumWidth(0);
    m_heads->addWidget(column.head, 1);
    m_texts->addWidget(column.body, 1, Qt::AlignTop);
    connect(column.head, &CompareHead::focused, this, [this, index] {
        if (index == m_current)
            return;
        m_current = index;
        emit currentChanged(index);
    });
    connect(column.head, &CompareHead::stepRequested, this, [this](int step) { setCurrent(m_current + step); });
    connect(column.head, &CompareHead::openRequested, this, [this, index] { open(m_columns[size_t(index)]); });
    connect(column.head, &CompareHead::stopRequested, this, [this, index] { stop(size_t(index)); });
    connect(column.head, &CompareHead::ledgerRequested, this, [this, index] {
        const Column& pressed = m_columns[size_t(index)];
        showLedger(pressed, !pressed.body->isLedgerShown());
    });
    connect(column.body, &CompareBody::closeRequested, this,
        [this, index] { showLedger(m_columns[size_t(index)], false); });
    connect(column.body, &CompareBody::decidingTokenRequested, this,
        [this, index] { open(m_columns[size_t(index)]); });
    connect(column.head, &CompareHead::copyRequested, this, [this, index] { copy(m_columns[size_t(index)]); });
    connect(column.text, &CompareText::painted, this, [this, index] {
        if (app::Turn* turn = turnOf(m_columns[size_t(index)]))
            m_conversation->notePainted(*turn);
    });
    m_columns.push_back(std::move(column));
}

app::Turn* ComparePage::turnOf(const Column& column) const
{
    app::Turn* turn = m_conversation && column.cell.answer ? m_conversation->findTurn(column.cell.answer) : nullptr;
    return turn && turn->answer && !turn->isDeleted ? turn : nullptr;
}

ComparedAnswer ComparePage::answerOf(const Column& column) const
{
    const app::Turn* turn = turnOf(column);
    return { column.cell.label, turn ? turn->answer.get() : nullptr, column.cell.problem, column.cell.state,
        column.cell.isToCome };
}

std::vector<ComparedAnswer> ComparePage::answers() const
{
    std::vector<ComparedAnswer> answers;
    for (const Column& column : m_columns)
        answers.push_back(answerOf(column));
    return answers;
}

void ComparePage::updateColumn(Column& column)
{
    const app::Turn* turn = turnOf(column);
    column.head->setWords(turn ? answerWords(*turn->answer) : problemWords(column.cell));
    column.head->setRemark(column.cell.note);
    column.head->setPossible((turn && turn->answer->isActive()) || column.cell.isToCome, turn);
    if (column.body->isLedgerShown())
        showLedger(column, true);
    if (turn)
        column.text->setText(QString::fromStdString(turn->answer->text()));
    else if (column.cell.problem)
        column.text->setText(column.cell.problem->message);
}

/// The figures of what has ended: when its text was first seen may have become known.
void ComparePage::updateEnded()
{
    for (Column& column : m_columns)
        if (const app::Turn* turn = turnOf(column); turn && !turn->answer->isActive())
            column.head->setWords(answerWords(*turn->answer));
}

void ComparePage::updateAll()
{
    for (Column& column : m_columns)
        updateColumn(column);
    markCommon();
    updateHeader();
    emit answersChanged();
}

void ComparePage::updateHeader()
{
    const std::vector<ComparedAnswer> compared = answers();
    for (const Column& column : m_columns)
        if (const app::Turn* turn = turnOf(column); turn && turn->parent) {
            m_prompt->setWholeText(tr("Prompt: %1").arg(turn->parent->said().simplified()));
            break;
        }
    renew(m_counts, countWords(compared));
    renew(m_lengths, lengthWords(compared));
    renew(m_passed, passedWords(compared));
    bool isUnderWay = false;
    for (const ComparedAnswer& answer : compared)
        isUnderWay = isUnderWay || answer.isToCome || (answer.answer && answer.answer->isActive());
    m_stopAll->setEnabled(isUnderWay);
    m_more->setEnabled(!isUnderWay);
}

/// The first text is pale as far as all others go along with it.
void ComparePage::markCommon()
{
    const Column* first = nullptr;
    qsizetype all = -1;
    for (const Column& column : m_columns) {
        if (!turnOf(column)) {
            column.text->setCommon(0, false);
            continue;
        }
        if (!first) {
            first = &column;
            continue;
        }
        const QString& text = column.text->text();
        const qsizetype common = commonLength(first->text->text(), text);
        const bool differs = common < text.size() && common < first->text->text().size();
        column.text->setCommon(common, differs);
        all = all < 0 ? common : std::min(all, common);
    }
    if (first)
        first->text->setCommon(std::max<qsizetype>(0, all), false);
}

void ComparePage::setCurrent(int column)
{
    if (column < 0 || column >= int(m_columns.size()))
        return;
    m_columns[size_t(column)].head->setFocus(Qt::OtherFocusReason);
    reveal(m_columns[size_t(column)]);
    if (column == m_current)
        return;
    m_current = column; // a window that is not active gives no focus
    emit currentChanged(column);
}

void ComparePage::reveal(const Column& column) { m_across->ensureWidgetVisible(column.head, gridUnit(this), 0); }

void ComparePage::stop(size_t index)
{
    const Column& column = m_columns[index];
    if (const app::Turn* turn = turnOf(column))
        m_workspace.stop(*m_conversation, *turn);
    else if (column.cell.isToCome)
        emit giveUpRequested(int(index));
}

void ComparePage::stopAll()
{
    emit giveUpAllRequested(); // first: the end of a run lets the next begin
    for (size_t i = 0; i < m_columns.size(); ++i)
        stop(i);
}

bool ComparePage::isLedgerShown(size_t column) const { return m_columns[column].body->isLedgerShown(); }

void ComparePage::showLedger(const Column& column, bool shows)
{
    const app::Turn* turn = shows ? turnOf(column) : nullptr;
    const bool wasShown = column.body->isLedgerShown();
    const bool hadFocus = column.body->isAncestorOf(focusWidget());
    column.body->showLedger(turn ? turn->draft() : nullptr, column.head->chip());
    const bool isShown = column.body->isLedgerShown();
    column.head->setLedgerShown(isShown);
    if (isShown && !wasShown)
        m_down->verticalScrollBar()->setValue(0); // it stands under the head
    if (!isShown && hadFocus)
        column.head->chip()->setFocus();
}

void ComparePage::open(const Column& column)
{
    if (turnOf(column))
        emit openRequested(m_conversation, column.cell.answer);
}

void ComparePage::copy(const Column& column) const
{
    const QString selected = column.text->textCursor().selectedText().replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    copyToClipboard(selected.isEmpty() ? column.text->text() : selected);
}

void ComparePage::tell(const QString& words)
{
    m_note->setNote(words);
    m_note->setVisible(!words.isEmpty());
}

void ComparePage::setBelow(QWidget* widget)
{
    m_splitter->addWidget(widget);
    m_splitter->setSizes({ 2 * height(), 3 * height() });
}

void ComparePage::keyPressEvent(QKeyEvent* event)
{
    const bool isEscape = event->key() == Qt::Key_Escape;
    if (isEscape && m_current >= 0 && isLedgerShown(size_t(m_current)))
        showLedger(m_columns[size_t(m_current)], false);
    else if (isEscape && isWindow())
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
