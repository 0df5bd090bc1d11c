#pragma once

#include "app/runs/run_worksheet.h"

#include <QDialog>

class QLabel;
class QTabWidget;

namespace ui {

class WorksheetPage;

/// One run or several as a page to read, print, save and copy; of one run its text and its tokens
/// too. Everything comes from records: no model is needed, and nothing can be changed.
class WorksheetWindow : public QDialog {
    Q_OBJECT
public:
    /// origin: where the runs come from, in words; "" = the library.
    WorksheetWindow(const std::vector<nlohmann::ordered_json>& records, const QString& origin,
        QWidget* parent = nullptr);

    WorksheetPage& page() { return *m_page; }
    /// The format follows the name: .md, .tsv, else HTML. Tells by told().
    void saveTo(const QString& path);

signals:
    /// What was done, or why it was not, in words.
    void told(const QString& words);

private:
    void addRunTabs(const nlohmann::ordered_json& record);
    void askWhereToSave();
    void askWhereToPrint();
    void copy();
    void tell(const QString& words);

    app::RunWorksheet m_sheet;
    QTabWidget* m_tabs;
    WorksheetPage* m_page;
    QLabel* m_words;
};

} // namespace ui
