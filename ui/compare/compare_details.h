#pragma once

#include "app/conversation/workspace.h"
#include "ui/compare/aligned_run.h"

#include <QTabWidget>
#include <QTimer>

#include <set>

namespace ui {

class AlignedView;
class ComparePage;
class CrossScoreView;
class LedgerTable;
class RunTreeView;
class WhatIfPage;

/// What tells more of the columns above it: token by token, ledgers, what if, the tree, scores. It
/// follows the page while runs are written; only the tab in view is kept up. GUI thread.
class CompareDetails : public QTabWidget {
    Q_OBJECT
public:
    /// page: above it; it must outlive this.
    CompareDetails(app::Workspace& workspace, ComparePage& page, QWidget* parent = nullptr);

    AlignedView& aligned() { return *m_aligned; }
    LedgerTable& ledgers() { return *m_ledgers; }
    WhatIfPage& whatIf() { return *m_whatIf; }
    RunTreeView& tree() { return *m_tree; }
    CrossScoreView& scores() { return *m_scores; }
    /// Columns that stand side by side token by token: the first, the current one and what follows.
    const std::vector<size_t>& alignedColumns() const { return m_alignedColumns; }
    /// Keeps the tab in view up at once.
    void refresh();

signals:
    /// What a person should know, where no answer shows it.
    void noted(const QString& words);

private:
    void showTab(const QWidget* shown);
    void followCells();
    void readDetails();
    std::vector<AlignedRun> runsOf(const std::vector<size_t>& columns) const;
    std::shared_ptr<const engine::ModelText> textOf(const app::Draft* draft) const;
    std::vector<size_t> columnsWithAnswers() const;
    /// Whose tokens are in memory, if a model wrote them.
    std::vector<size_t> columnsWithTokens() const;
    std::vector<size_t> chosenColumns() const;
    void swap(size_t run, size_t token, engine::TokenId id);
    void extend(const app::StopWish& wish);
    void addBranch(bool hasBegun, const QString& label);

    app::Workspace& m_workspace;
    ComparePage& m_page;
    QTimer m_refresh; ///< not for every token
    std::vector<app::MessageId> m_cells;
    std::set<app::MessageId> m_asked; ///< whose details are on their way
    std::vector<size_t> m_alignedColumns;
    bool m_wantsFirst = false; ///< the first difference is to be shown when there is one
    AlignedView* m_aligned;
    LedgerTable* m_ledgers;
    WhatIfPage* m_whatIf;
    RunTreeView* m_tree;
    CrossScoreView* m_scores;
};

} // namespace ui
