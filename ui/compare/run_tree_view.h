#pragma once

#include "app/compare/run_tree.h"
#include "ui/compare/aligned_run.h"

#include <QTreeWidget>

namespace ui {

/// Runs merged by their common beginnings: on each branch its text and how many runs go through it,
/// on leaves the reasons they stopped for. Copies as tab-separated values, indented.
class RunTreeView : public QTreeWidget {
    Q_OBJECT
public:
    explicit RunTreeView(QWidget* parent = nullptr);

    void setRuns(const std::vector<AlignedRun>& runs);
    /// All of it.
    QString tsv() const;

signals:
    void runChosen(size_t run);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void add(QTreeWidgetItem* parent, const app::RunBranch& branch, const std::vector<AlignedRun>& runs);
};

} // namespace ui
