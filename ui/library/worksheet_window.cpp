#include "ui/library/worksheet_window.h"

#include "app/conversation/planned_run.h"
#include "app/runs/opened_record.h"
#include "ui/compare/aligned_view.h"
#include "ui/compare/ledger_table.h"
#include "ui/library/copied_table.h"
#include "ui/library/plan_bar.h"
#include "ui/library/recorded_run.h"
#include "ui/library/recorded_tokens.h"
#include "ui/library/verify_bar.h"
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

WorksheetWindow::WorksheetWindow(app::Workspace& workspace,
    std::vector<nlohmann::ordered_json> records, const QString& origin, QWidget* parent)
    : QDialog(parent)
    , m_workspace(workspace)
    , m_tabs(new QTabWidget(this))
    , m_page(new WorksheetPage(this))
    , m_words(new QLabel(this))
    , m_verify(new VerifyBar(workspace, this))
    , m_column(new QVBoxLayout(this))
    , m_buttons(new QHBoxLayout)
{
    const int unit = gridUnit(this);
    setWindowTitle(origin.isEmpty() ? tr("Worksheet") : tr("Worksheet: %1").arg(origin));
    resize(unit * (records.size() > 2 ? 132 : 88), unit * 96);
    m_page->setObjectName(QStringLiteral("page"));
    m_page->setAccessibleName(tr("Worksheet"));
    m_tabs->addTab(m_page, tr("&Worksheet"));
    m_tabs->setDocumentMode(true);
    m_words->setObjectName(QStringLiteral("words"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setText(origin.isEmpty() ? QString() : tr("Read only: %1").arg(origin));
    m_words->setVisible(!origin.isEmpty());
    m_column->setSpacing(unit);
    m_column->addWidget(m_tabs, 1);
    m_column->addWidget(m_verify);
    m_column->addWidget(m_words);
    m_column->addLayout(m_buttons);
    buildButtons();
    connect(m_verify, &VerifyBar::recordWanted, this, [this] { m_verify->verify(m_records.front()); });
    connect(m_verify, &VerifyBar::told, this, &WorksheetWindow::told);
    showRecords(std::move(records));
    m_page->setFocus();
}

WorksheetWindow::WorksheetWindow(
    app::Workspace& workspace, std::unique_ptr<app::PlannedRun> plan, QWidget* parent)
    : WorksheetWindow(workspace, { plan->record() }, {}, parent)
{
    setWindowTitle(tr("Worksheet of a planned run"));
    m_verify->button()->hide();
    m_plan = new PlanBar(std::move(plan), this);
    m_column->insertWidget(m_column->indexOf(m_words), m_plan);
    m_buttons->addWidget(m_plan->button());
    connect(m_plan, &PlanBar::told, this, &WorksheetWindow::told);
    connect(m_plan, &PlanBar::filled, this, [this] {
        showRecords({ m_plan->plan().record() });
        m_verify->button()->show();
    });
}

void WorksheetWindow::buildButtons()
{
    m_buttons->setSpacing(gridUnit(this));
    const auto add = [&](const char* name, const QString& text, auto slot) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        m_buttons->addWidget(button);
        return button;
    };
    add("print", tr("&Print…"), &WorksheetWindow::askWhereToPrint);
    add("save", tr("&Save…"), &WorksheetWindow::askWhereToSave)
        ->setToolTip(tr("As a page for a browser, as Markdown, or as a table"));
    add("copy", tr("&Copy as a table"), &WorksheetWindow::copy)
        ->setToolTip(tr("The short fields, tab-separated"));
    m_buttons->addStretch(1);
    m_buttons->addWidget(m_verify->button());
}

void WorksheetWindow::showRecords(std::vector<nlohmann::ordered_json> records)
{
    m_records = std::move(records);
    m_sheet = app::RunWorksheet::of(m_records);
    m_page->showSheet(m_sheet);
    m_verify->button()->setVisible(m_records.size() == 1);
    const int shown = m_tabs->currentIndex();
    while (m_tabs->count() > 1)
        delete m_tabs->widget(1);
    m_aligned = nullptr;
    if (m_records.size() == 1)
        addRunTabs(m_records.front());
    else if (m_records.size() <= AlignedView::kMostRuns)
        addCompareTabs();
    m_tabs->setCurrentIndex(shown);
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
    // None may be told of an answer of another program, which had some all the same.
    const bool areTold = model->rowCount() > 0 || !record.contains("imported");
    m_tabs->addTab(tokens, areTold ? tr("&Tokens (%L1)").arg(model->rowCount()) : tr("&Tokens"));
}

void WorksheetWindow::addCompareTabs()
{
    std::vector<AlignedRun> runs;
    for (size_t i = 0; i < m_records.size(); ++i)
        runs.push_back(alignedRun(m_records[i], QString::fromStdString(m_sheet.runNames[i]), m_workspace));
    auto* ledgers = new LedgerTable(this);
    ledgers->setRuns(runs);
    m_aligned = new AlignedView(this);
    m_aligned->setSwapsOffered(false); // records are only read
    m_aligned->setRuns(std::move(runs));
    m_tabs->addTab(m_aligned, tr("T&oken by token"));
    m_tabs->addTab(ledgers, tr("&Ledgers"));
}

void WorksheetWindow::showDifference()
{
    if (!m_aligned)
        return;
    m_tabs->setCurrentWidget(m_aligned);
    m_aligned->showFirstDifference();
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
