#pragma once

#include "app/guide/trace_rows.h"
#include "ui/guide/fact_table.h"

namespace ui {

/// The passes of a run as a table: what the model had, what was computed, what the cache held, what
/// was selected.
class PassTable : public FactTable {
    Q_OBJECT
public:
    explicit PassTable(QWidget* parent = nullptr);

    void setRows(const std::vector<app::TraceRow>& rows, bool hasTimes);
};

} // namespace ui
