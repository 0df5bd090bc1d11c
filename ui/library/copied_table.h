#pragma once

#include <QTableView>

namespace ui {

/// A table for reading whose rows copy as tab-separated values, with a header line: the selected
/// ones, all when none is. Enter on a row activates it.
class CopiedTable : public QTableView {
    Q_OBJECT
public:
    explicit CopiedTable(QWidget* parent = nullptr);

    QString tsv() const;
    /// Columns as wide as their contents, up to a quarter of the table; this one takes the rest, and
    /// is never squeezed.
    void fitColumns(int widest);

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace ui
