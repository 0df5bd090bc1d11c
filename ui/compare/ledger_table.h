#pragma once

#include "ui/compare/aligned_run.h"
#include "ui/library/copied_table.h"

class QStandardItemModel;

namespace ui {

/// Ledgers side by side: a row for each condition in the order of precedence, a column for each run:
/// how near it was. What ended a run is marked and bold. Copies as tab-separated values.
class LedgerTable : public CopiedTable {
    Q_OBJECT
public:
    explicit LedgerTable(QWidget* parent = nullptr);

    /// A run that has not ended has an empty column.
    void setRuns(const std::vector<AlignedRun>& runs);

private:
    QStandardItemModel* m_rows;
};

} // namespace ui
