#pragma once

#include "app/runs/run_worksheet.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QTabWidget;
class QVBoxLayout;

namespace app {
class PlannedRun;
class Workspace;
}

namespace ui {

class AlignedView;
class PlanBar;
class VerifyBar;
class WorksheetPage;

/// One run or several as a page to read, print, save and copy; of one run its text and its tokens
/// too, of two to four where they part and their ledgers side by side. Everything comes from records: no model is needed, but for running one run again to verify
/// it. A planned run is a page with blanks, which the run that is started from it fills.
class WorksheetWindow : public QDialog {
    Q_OBJECT
public:
    /// origin: where the runs come from, in words; "" = the library. workspace must outlive it.
    WorksheetWindow(app::Workspace& workspace, std::vector<nlohmann::ordered_json> records,
        const QString& origin, QWidget* parent = nullptr);
    /// Of a run that nobody has started.
    WorksheetWindow(
        app::Workspace& workspace, std::unique_ptr<app::PlannedRun> plan, QWidget* parent = nullptr);

    WorksheetPage& page() { return *m_page; }
    /// Shows the runs token by token, at the first place where they part. Of two to four.
    void showDifference();
    AlignedView* alignedView() { return m_aligned; } ///< null: of one run, or of too many
    PlanBar* planBar() { return m_plan; } ///< null: of recorded runs
    /// The format follows the name: .md, .tsv, else HTML. Tells by told().
    void saveTo(const QString& path);

signals:
    /// What was done, or why it was not, in words.
    void told(const QString& words);

private:
    void buildButtons();
    void showRecords(std::vector<nlohmann::ordered_json> records);
    void addRunTabs(const nlohmann::ordered_json& record);
    void addCompareTabs();
    void askWhereToSave();
    void askWhereToPrint();
    void copy();
    void tell(const QString& words);

    app::Workspace& m_workspace;
    std::vector<nlohmann::ordered_json> m_records;
    app::RunWorksheet m_sheet;
    QTabWidget* m_tabs;
    WorksheetPage* m_page;
    QLabel* m_words;
    VerifyBar* m_verify; ///< of one run that was started
    PlanBar* m_plan = nullptr;
    AlignedView* m_aligned = nullptr;
    QVBoxLayout* m_column;
    QHBoxLayout* m_buttons;
};

} // namespace ui
