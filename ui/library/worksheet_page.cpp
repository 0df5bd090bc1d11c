#include "ui/library/worksheet_page.h"

#include "ui/theme/theme.h"

#include <memory>

namespace ui {

WorksheetPage::WorksheetPage(QWidget* parent)
    : QTextBrowser(parent)
{
    setOpenLinks(false);
    setOpenExternalLinks(false);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(gridUnit(this) * 2);
}

void WorksheetPage::showSheet(const app::RunWorksheet& sheet)
{
    setHtml(QString::fromStdString(app::worksheetHtml(sheet)));
}

void WorksheetPage::printTo(QPagedPaintDevice& device)
{
    // A copy: the page on screen keeps its width.
    const std::unique_ptr<QTextDocument> copy(document()->clone());
    copy->print(&device);
}

QVariant WorksheetPage::loadResource(int, const QUrl&) { return {}; }

} // namespace ui
