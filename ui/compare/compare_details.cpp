#include "ui/compare/compare_details.h"

#include "app/compare/draft_run.h"
#include "ui/compare/aligned_view.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/cross_score_view.h"
#include "ui/compare/ledger_table.h"
#include "ui/compare/run_tree_view.h"
#include "ui/compare/what_if_bar.h"
#include "ui/compare/what_if_page.h"

#include <QElapsedTimer>
#include <QTabBar>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kRefreshMs = 300;
    constexpr int kMostShare = 10; ///< long runs may take a tenth of the window's time
}

CompareDetails::CompareDetails(app::Workspace& workspace, ComparePage& page, QWidget* parent)
    : QTabWidget(parent)
    , m_workspace(workspace)
    , m_page(page)
    , m_aligned(new AlignedView(this))
    , m_ledgers(new LedgerTable(this))
    , m_whatIf(new WhatIfPage(this))
    , m_tree(new RunTreeView(this))
    , m_scores(new CrossScoreView(workspace, this))
{
    setDocumentMode(true);
    // Unlike the texts above: fields and boxes stand out from it, in dark too.
    setBackgroundRole(QPalette::Window);
    setAutoFillBackground(true);
    tabBar()->setAccessibleName(tr("What tells more of the runs"));
    setObjectName(QStringLiteral("compareDetails"));
    addTab(m_aligned, tr("Token by token"));
    addTab(m_ledgers, tr("Ledgers"));
    addTab(m_whatIf, tr("What if"));
    addTab(m_tree, tr("Tree"));
    addTab(m_scores, tr("Scores"));
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &CompareDetails::refresh);
    connect(&page, &ComparePage::answersChanged, this, &CompareDetails::followCells);
    connect(&page, &ComparePage::currentChanged, this, [this] {
        const QWidget* shown = currentWidget(); // the others show all columns, whichever is current
        if (shown == m_whatIf || (shown == m_aligned && m_page.columnCount() > AlignedView::kMostRuns))
            refresh();
    });
    connect(this, &QTabWidget::currentChanged, this, &CompareDetails::refresh);
    connect(m_aligned, &AlignedView::swapRequested, this, &CompareDetails::swap);
    connect(&m_whatIf->bar(), &WhatIfBar::extendRequested, this, &CompareDetails::extend);
    connect(m_tree, &RunTreeView::runChosen, this, [this](size_t run) {
        const std::vector<size_t> columns = columnsWithTokens();
        if (run < columns.size())
            m_page.setCurrent(int(columns[run]));
    });
}

/// Other cells are shown at once, others' new tokens soon.
void CompareDetails::followCells()
{
    std::vector<app::MessageId> cells;
    for (size_t i = 0; i < m_page.columnCount(); ++i)
        cells.push_back(m_page.cell(i).answer);
    if (cells != m_cells) {
        m_cells = std::move(cells);
        m_wantsFirst = true;
        readDetails();
        refresh();
    } else if (!m_refresh.isActive()) {
        m_refresh.start();
    }
}

/// Of answers of an earlier start only texts are in memory.
void CompareDetails::readDetails()
{
    app::Conversation* conversation = m_page.conversation();
    for (size_t column : columnsWithAnswers()) {
        app::Turn* turn = conversation ? conversation->findTurn(m_page.cell(column).answer) : nullptr;
        if (turn && !turn->answer->hasDetails() && m_asked.insert(turn->id).second)
            m_workspace.readAnswerDetails(*conversation, *turn);
    }
}

std::vector<size_t> CompareDetails::columnsWithAnswers() const
{
    std::vector<size_t> columns;
    const std::vector<ComparedAnswer> answers = m_page.answers();
    for (size_t i = 0; i < answers.size(); ++i)
        if (answers[i].answer)
            columns.push_back(i);
    return columns;
}

std::vector<size_t> CompareDetails::columnsWithTokens() const
{
    const std::vector<ComparedAnswer> answers = m_page.answers();
    std::vector<size_t> columns = columnsWithAnswers();
    std::erase_if(columns, [&](size_t column) {
        const app::Answer& answer = *answers[column].answer;
        return answer.isEdited() || !answer.hasDetails();
    });
    return columns;
}

std::vector<size_t> CompareDetails::chosenColumns() const
{
    std::vector<size_t> columns = columnsWithTokens();
    if (columns.size() <= AlignedView::kMostRuns)
        return columns;
    const auto current = std::ranges::find(columns, size_t(std::max(0, m_page.current())));
    std::vector<size_t> chosen { columns.front() };
    for (auto it = current; it != columns.end() && chosen.size() < AlignedView::kMostRuns; ++it)
        if (*it != columns.front())
            chosen.push_back(*it);
    for (auto it = columns.begin() + 1; it != columns.end() && chosen.size() < AlignedView::kMostRuns; ++it)
        if (std::ranges::find(chosen, *it) == chosen.end())
            chosen.push_back(*it);
    return chosen;
}

std::vector<AlignedRun> CompareDetails::runsOf(const std::vector<size_t>& columns) const
{
    std::vector<AlignedRun> runs;
    const std::vector<ComparedAnswer> answers = m_page.answers();
    for (size_t column : columns) {
        const app::Answer& answer = *answers[column].answer;
        auto text = textOf(answer.draft());
        runs.push_back({ columnName(column), app::comparedAnswer(answer, text.get()), text, answer.isActive() });
    }
    return runs;
}

/// Drafts of an earlier start come without their vocabulary; the loaded model may be theirs.
std::shared_ptr<const engine::ModelText> CompareDetails::textOf(const app::Draft* draft) const
{
    if (draft && !draft->origin().modelText && m_workspace.isOfThisModel(*draft))
        return m_workspace.model()->text;
    return draft ? draft->origin().modelText : nullptr;
}

void CompareDetails::refresh()
{
    m_refresh.stop();
    QElapsedTimer took;
    took.start();
    showTab(currentWidget());
    m_refresh.setInterval(std::max(kRefreshMs, int(took.elapsed()) * kMostShare));
}

void CompareDetails::showTab(const QWidget* shown)
{
    const int current = m_page.current();
    if (shown == m_aligned) {
        m_alignedColumns = chosenColumns();
        m_aligned->setRuns(runsOf(m_alignedColumns));
        if (m_wantsFirst && m_aligned->showFirstDifference())
            m_wantsFirst = false;
    } else if (shown == m_ledgers) {
        m_ledgers->setRuns(runsOf(columnsWithAnswers()));
    } else if (shown == m_tree) {
        m_tree->setRuns(runsOf(columnsWithTokens()));
    } else if (shown == m_scores) {
        m_scores->setRuns(runsOf(columnsWithTokens()));
    } else if (shown == m_whatIf) {
        const std::vector<ComparedAnswer> answers = m_page.answers();
        const app::Answer* answer = current >= 0 && size_t(current) < answers.size() ? answers[size_t(current)].answer : nullptr;
        const app::Draft* draft = answer ? answer->draft() : nullptr;
        // Stop settings are those of its last run.
        m_whatIf->setRun(draft && draft->ending() && draft->hasDetails()
                ? std::optional(AlignedRun { columnName(size_t(current)), app::comparedRun(*draft), textOf(draft), false })
                : std::nullopt);
    }
}

void CompareDetails::swap(size_t run, size_t token, engine::TokenId id)
{
    app::Conversation* conversation = m_page.conversation();
    if (!conversation || run >= m_alignedColumns.size())
        return;
    const size_t column = m_alignedColumns[run];
    app::Turn* turn = conversation->findTurn(m_page.cell(column).answer);
    if (!turn)
        return;
    const QString piece = m_aligned->runs()[run].drawn(id);
    addBranch(m_workspace.swapToken(*conversation, *turn, int(token), id),
        tr("%1 with ‘%2’ as token %L3").arg(columnName(column), piece).arg(token + 1));
}

void CompareDetails::extend(const app::StopWish& wish)
{
    app::Conversation* conversation = m_page.conversation();
    const int current = m_page.current();
    app::Turn* turn = conversation && current >= 0 ? conversation->findTurn(m_page.cell(size_t(current)).answer) : nullptr;
    if (turn)
        addBranch(m_workspace.extend(*conversation, *turn, wish), tr("%1 extended").arg(columnName(size_t(current))));
}

/// What has begun is one more column; else the person is told why not.
void CompareDetails::addBranch(bool hasBegun, const QString& label)
{
    const app::Conversation& conversation = *m_page.conversation();
    if (hasBegun && !conversation.activeTurns().empty())
        return m_page.addCell({ label, conversation.activeTurns().back()->id, {} });
    if (!hasBegun)
        emit noted(conversation.problem() ? conversation.problem()->title + QStringLiteral(". ") + conversation.problem()->message
                                          : tr("A run of this chat is under way. Wait for its end, or stop it."));
}

} // namespace ui
