#pragma once

#include "app/storage/storage.h"

#include <QDialog>
#include <QTimer>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;

namespace app {
class Workspace;
}

namespace ui {

class CopiedTable;
class RunCountModel;
class RunFilterRow;
class RunTableModel;
class VerifyBar;

/// All stored runs: a table with filters, and how often each reason ended them by model and
/// template. It lists them again when it becomes the active window.
class RunLibrary : public QDialog {
    Q_OBJECT
public:
    /// storage: null where nothing is kept; both must outlive the window.
    RunLibrary(app::Workspace& workspace, app::Storage* storage, QWidget* parent = nullptr);

    CopiedTable& table() { return *m_table; }
    /// Reads the list anew; listed() when it is shown.
    void refresh();
    /// The record of the selected run, whole, as JSON. Tells by told().
    void saveRecord(const QString& path);
    std::vector<app::RunRow> selectedRuns() const;

signals:
    void answerChosen(const app::RunRow& run);
    /// Whole records of runs, in the order of the table.
    void worksheetRequested(const std::vector<nlohmann::ordered_json>& records);
    /// Likewise: where they part is asked for.
    void differenceRequested(const std::vector<nlohmann::ordered_json>& records);
    void openFileRequested();
    void listed();
    /// What was done, or why it was not, in words.
    void told(const QString& words);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildButtons(QHBoxLayout& line);
    void tellCount(size_t listedCount, int storedCount);
    void take(const engine::Result<app::RunList>& list);
    void tell(const QString& words);
    void noteSelection();
    void verify();
    void openAnswer();
    void makeWorksheet();
    void showDifference();
    void readSelected(size_t most, void (RunLibrary::*then)(const std::vector<nlohmann::ordered_json>& records));
    void askWhereToSave();

    app::Storage* m_storage;
    RunFilterRow* m_filter;
    RunTableModel* m_runs;
    RunCountModel* m_counts;
    QSortFilterProxyModel* m_sorted;
    CopiedTable* m_table;
    CopiedTable* m_countTable;
    QLabel* m_sum;
    QPushButton* m_showAll;
    QLabel* m_words;
    QPushButton* m_open;
    QPushButton* m_worksheet;
    QPushButton* m_difference;
    QPushButton* m_save;
    QPushButton* m_openFile;
    VerifyBar* m_verify;
    std::vector<app::StoredRunId> m_verified; ///< selected when it was asked for
    QTimer m_typing; ///< a title is typed sign by sign
    int m_asked = 0; ///< lists that were asked for: only the last is shown
    bool m_isFitted = false;
};

} // namespace ui
