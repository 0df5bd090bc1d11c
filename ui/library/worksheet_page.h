#pragma once

#include "app/runs/run_worksheet.h"

#include <QPagedPaintDevice>
#include <QTextBrowser>

namespace ui {

/// A worksheet as a page. It fetches nothing, whatever the page names; what the runs say is text on
/// it, since worksheetHtml escapes every value (tst_run_worksheet).
class WorksheetPage : public QTextBrowser {
    Q_OBJECT
public:
    explicit WorksheetPage(QWidget* parent = nullptr);

    void showSheet(const app::RunWorksheet& sheet);
    void printTo(QPagedPaintDevice& device);
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace ui
