#pragma once

#include <QString>

class QTableView;

namespace ui {

/// The selected rows of a table, all when none is, as tab-separated values after a line of headings.
/// Hidden columns are left out; tabs and line ends in a cell become blanks. rowHeading: of a first
/// column with what stands beside the rows; "" = without it.
QString tableTsv(const QTableView& table, const QString& rowHeading = {});

} // namespace ui
