#include "ui/library/worksheet_window.h"

#include "app/runs/opened_record.h"
#include "ui/library/copied_table.h"
#include "ui/library/recorded_tokens.h"
#include "ui/library/worksheet_page.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QSaveFile>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ui {

WorksheetWindow::WorksheetWindow(const std::vector<nlohmann::ordered_json>& records,
    const QString& origin, QWidget* parent)
    : QDialog(parent)
    , m_sheet(app::RunWorksheet::of(records))
    , m_tabs(new QTabWidget(this))
    , m_page(new WorksheetPage(this))
    , m_words(new QLabel(this))
{
    const int unit = gridUnit(this);
    setWindowTitle(origin.isEmpty() ? tr("Worksheet") : tr("Worksheet: %1").arg(origin));
    resize(unit * (records.size() > 2 ? 132 : 88), unit * 96);
    m_page->setObjectName(QStringLiteral("page"));
    m_page->setAccessibleName(tr("Worksheet"));
    m_page->showSheet(m_sheet);
    m_tabs->addTab(m_page, tr("&Worksheet"));
    m_tabs->setDocumentMode(true);
    if (records.size() == 1)
        addRunTabs(records.front());
    m_words->setObjectName(QStringLiteral("words"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setText(origin.isEmpty() ? QString() : tr("Read only: %1").arg(origin));
    m_words->setVisible(!origin.isEmpty());
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    const auto add = [&](const char* name, const QString& text, auto slot) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        buttons->addWidget(button);
        return button;
    };
    add("print", tr("&Print…"), &WorksheetWindow::askWhereToPrint);
    add("save", tr("&Save…"), &WorksheetWindow::askWhereToSave)
        ->setToolTip(tr("As a page for a browser, as Markdown, or as a table"));
    add("copy", tr("&Copy as a table"), &WorksheetWindow::copy)
        ->setToolTip(tr("The short fields, tab-separated"));
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(unit);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_words);
    column->addLayout(buttons);
    m_page->setFocus();
}

void WorksheetWindow::addRunTabs(const nlohmann::ordered_json& record)
{
    auto* text = new QPlainTextEdit(this);
    text->setObjectName(QStringLiteral("text"));
    text->setAccessibleName(tr("Text of the answer"));
    text->setReadOnly(true);
    text->setFrameShape(QFrame::NoFrame);
    text->setTabChangesFocus(true);
    const auto found = record.find("text");
    if (found != record.end() && found->is_string())
        text->setPlainText(QString::fromStdString(found->get<std::string>()));
    if (text->toPlainText().isEmpty())
        text->setPlaceholderText(tr("No text was recorded."));
    m_tabs->addTab(text, tr("Te&xt"));
    auto* tokens = new CopiedTable(this);
    auto* model = new RecordedTokens(app::tokensOf(record), tokens);
    tokens->setObjectName(QStringLiteral("tokens"));
    tokens->setAccessibleName(tr("Tokens of the answer"));
    tokens->setFrameShape(QFrame::NoFrame);
    tokens->setModel(model);
    tokens->fitColumns(RecordedTokens::Piece);
    m_tabs->addTab(tokens, tr("&Tokens (%L1)").arg(model->rowCount()));
}

void WorksheetWindow::tell(const QString& words)
{
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    emit told(words);
}

void WorksheetWindow::copy()
{
    QApplication::clipboard()->setText(QString::fromStdString(app::worksheetTsv(m_sheet)));
    tell(tr("The short fields were copied as a table."));
}

void WorksheetWindow::askWhereToSave()
{
    const QString html = tr("Page for a browser (*.html)");
    const QString markdown = tr("Markdown (*.md)");
    const QString table = tr("Table (*.tsv)");
    QString chosen = html;
    QString path = QFileDialog::getSaveFileName(this, tr("Save the worksheet"),
        tr("worksheet.html"), QStringList({ html, markdown, table }).join(QStringLiteral(";;")),
        &chosen);
    if (path.isEmpty())
        return;
    const QString suffix = chosen == markdown ? QStringLiteral("md")
        : chosen == table                     ? QStringLiteral("tsv")
                                              : QStringLiteral("html");
    // The dialog offers a name with one ending, whichever kind is chosen there.
    if (path.endsWith(QLatin1String(".html")) && suffix != QLatin1String("html"))
        path.chop(5);
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1Char('.') + suffix;
    saveTo(path);
}

void WorksheetWindow::saveTo(const QString& path)
{
    const bool isMarkdown = path.endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
    const bool isTable = path.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive);
    const std::string bytes = isMarkdown ? app::worksheetMarkdown(m_sheet)
        : isTable                        ? app::worksheetTsv(m_sheet)
                                         : app::worksheetHtml(m_sheet);
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) && file.commit();
    const QString name = QFileInfo(path).fileName();
    tell(isWritten ? tr("The worksheet was written to %1.").arg(name)
                   : tr("%1 could not be written: %2").arg(name, file.errorString()));
}

void WorksheetWindow::askWhereToPrint()
{
    QPrinter printer(QPrinter::HighResolution);
    printer.setDocName(windowTitle());
    QPrintDialog dialog(&printer, this);
    dialog.setWindowTitle(tr("Print the worksheet"));
    if (dialog.exec() == QDialog::Accepted)
        m_page->printTo(printer);
}

} // namespace ui
