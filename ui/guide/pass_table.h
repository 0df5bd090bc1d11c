#pragma once

#include "app/guide/trace_rows.h"

#include <QTableWidget>

namespace ui {

/// The passes of a run as a table: what the model had, what was computed, what the cache held, what
/// was selected. Ctrl+C copies the selected rows (all, when none is) as tab-separated values.
class PassTable : public QTableWidget {
    Q_OBJECT
public:
    explicit PassTable(QWidget* parent = nullptr);

    void setRows(const std::vector<app::TraceRow>& rows, bool hasTimes);
    QString tsv() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace ui
