#pragma once

#include <QTableWidget>
#include <QTimer>

namespace ui {

/// A small table for reading. Ctrl+C copies the selected rows (all, when none is) as tab-separated
/// values with a header line; hidden columns are left out.
class FactTable : public QTableWidget {
    Q_OBJECT
public:
    explicit FactTable(const QStringList& headers, QWidget* parent = nullptr);

    /// One text a column.
    void setFacts(const std::vector<QStringList>& rows);
    QString tsv() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QTimer m_fit;
};

} // namespace ui
