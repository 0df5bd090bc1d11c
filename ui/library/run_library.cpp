#include "ui/library/run_library.h"

#include "app/runs/run_json.h"
#include "ui/compare/aligned_view.h"
#include "ui/library/copied_table.h"
#include "ui/library/run_filter_row.h"
#include "ui/library/run_table_model.h"
#include "ui/library/run_words.h"
#include "ui/library/verify_bar.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPointer>
#include <QPushButton>
#include <QSaveFile>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace ui {

namespace {
    constexpr int kTypingMs = 120;
    constexpr size_t kMostOnWorksheet = 12; // columns that a page has room for

    /// What a worksheet is put together of, in the order that was asked for.
    struct Records {
        std::vector<nlohmann::ordered_json> records;
        size_t missing = 0;
        std::optional<engine::Error> error;
    };
}

RunLibrary::RunLibrary(app::Workspace& workspace, app::Storage* storage, QWidget* parent)
    : QDialog(parent)
    , m_storage(storage)
    , m_filter(new RunFilterRow(this))
    , m_runs(new RunTableModel(this))
    , m_counts(new RunCountModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new CopiedTable)
    , m_countTable(new CopiedTable)
    , m_sum(new QLabel(this))
    , m_showAll(new QPushButton(tr("Show &all"), this))
    , m_words(new QLabel(this))
    , m_verify(new VerifyBar(workspace, this))
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("Run library"));
    resize(unit * 156, unit * 88);
    m_sorted->setSourceModel(m_runs);
    m_sorted->setSortRole(RunTableModel::kSortRole);
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunTableModel::Date, Qt::DescendingOrder);
    m_countTable->setObjectName(QStringLiteral("counts"));
    m_countTable->setAccessibleName(tr("How often each reason ended a run, by model and template"));
    m_countTable->setModel(m_counts);
    m_sum->setObjectName(QStringLiteral("sum"));
    m_words->setObjectName(QStringLiteral("words"));
    for (QLabel* label : { m_sum, m_words }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    auto* tables = new QSplitter(Qt::Vertical, this);
    tables->setChildrenCollapsible(false);
    tables->addWidget(m_table);
    tables->addWidget(m_countTable);
    tables->setStretchFactor(0, 3);
    tables->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(unit);
    column->addWidget(m_filter);
    auto* sumLine = new QHBoxLayout;
    sumLine->addWidget(m_sum, 1);
    sumLine->addWidget(m_showAll);
    column->addLayout(sumLine);
    column->addWidget(tables, 1);
    column->addWidget(m_verify);
    column->addWidget(m_words);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buildButtons(*buttons);
    column->addLayout(buttons);
    m_showAll->setObjectName(QStringLiteral("showAll"));
    m_showAll->setAutoDefault(false);
    m_showAll->hide();
    connect(m_showAll, &QPushButton::clicked, m_filter, &RunFilterRow::clear);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &RunLibrary::refresh);
    connect(m_filter, &RunFilterRow::filterChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit answerChosen(m_runs->rows()[size_t(m_sorted->mapToSource(index).row())]);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &RunLibrary::noteSelection);
    noteSelection();
    m_words->hide();
    m_table->setFocus();
    refresh();
}

void RunLibrary::buildButtons(QHBoxLayout& line)
{
    const auto add = [&](const char* name, const QString& text, auto slot) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false); // Enter in the table opens the answer
        connect(button, &QPushButton::clicked, this, slot);
        line.addWidget(button);
        return button;
    };
    m_open = add("openAnswer", tr("&Open the answer"), &RunLibrary::openAnswer);
    m_open->setToolTip(tr("The conversation at this answer (Enter)"));
    m_worksheet = add("worksheet", tr("&Worksheet"), &RunLibrary::makeWorksheet);
    m_worksheet->setToolTip(tr("The selected runs as a page to read, print and save"));
    m_difference = add("difference", tr("First &difference"), &RunLibrary::showDifference);
    m_difference->setToolTip(tr("Two to four selected runs token by token, where they part"));
    m_save = add("saveRecord", tr("&Save record…"), &RunLibrary::askWhereToSave);
    m_save->setToolTip(tr("Everything that was recorded of the selected run, as JSON"));
    line.addWidget(m_verify->button());
    connect(m_verify, &VerifyBar::recordWanted, this, &RunLibrary::verify);
    connect(m_verify, &VerifyBar::told, this, &RunLibrary::told);
    line.addStretch(1);
    m_openFile = add("openFile", tr("Open a &file…"), &RunLibrary::openFileRequested);
    m_openFile->setToolTip(
        tr("A run record, or a response of llama-server, LM Studio or an OpenAI-style server"));
}

void RunLibrary::refresh()
{
    if (!m_storage) {
        m_sum->setText(tr("Nothing is kept in this window, so there are no runs to list. A record "
                          "in a file can be opened below."));
        return;
    }
    m_storage->listRuns(m_filter->filter(),
        [library = QPointer(this), asked = ++m_asked](const engine::Result<app::RunList>& list) {
            if (library && library->m_asked == asked)
                library->take(list);
        });
}

void RunLibrary::take(const engine::Result<app::RunList>& list)
{
    if (!list) {
        m_sum->setText(tr("The runs could not be listed: %1")
                           .arg(QString::fromStdString(list.error().message)));
        return;
    }
    m_filter->setCheckpointFiles(list->checkpointFiles);
    if (list->rows != m_runs->rows()) {
        std::vector<app::StoredRunId> selected;
        for (const app::RunRow& run : selectedRuns())
            selected.push_back(run.id);
        m_runs->setRows(list->rows);
        for (int row = 0; row < m_sorted->rowCount() && !selected.empty(); ++row) {
            const int source = m_sorted->mapToSource(m_sorted->index(row, 0)).row();
            if (std::find(selected.begin(), selected.end(), m_runs->rows()[size_t(source)].id)
                == selected.end())
                continue;
            m_table->selectionModel()->select(m_sorted->index(row, 0),
                QItemSelectionModel::Select | QItemSelectionModel::Rows);
            m_table->selectionModel()->setCurrentIndex(
                m_sorted->index(row, 0), QItemSelectionModel::NoUpdate);
        }
    }
    if (!m_table->currentIndex().isValid() && m_sorted->rowCount() > 0)
        m_table->setCurrentIndex(m_sorted->index(0, 0));
    m_counts->setCounts(list->counts);
    if (!m_isFitted && !list->rows.empty()) {
        m_isFitted = true;
        m_table->fitColumns(RunTableModel::Title);
        m_countTable->fitColumns(RunCountModel::Model);
    }
    tellCount(list->rows.size(), list->storedCount);
    noteSelection();
    emit listed();
}

void RunLibrary::tellCount(size_t listedCount, int storedCount)
{
    m_showAll->setVisible(int(listedCount) != storedCount);
    if (storedCount == 0)
        m_sum->setText(tr("No run is kept yet: every answer of a chat that is not private will be "
                          "listed here. A record in a file can be opened below."));
    else if (listedCount == 0)
        m_sum->setText(tr("None of the %L1 runs meets these conditions.").arg(storedCount));
    else if (int(listedCount) == storedCount)
        m_sum->setText(storedCount == 1 ? tr("1 run") : tr("%L1 runs").arg(storedCount));
    else
        m_sum->setText(tr("%L1 of %L2 runs").arg(listedCount).arg(storedCount));
}

std::vector<app::RunRow> RunLibrary::selectedRuns() const
{
    std::vector<app::RunRow> runs;
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& index : rows)
        runs.push_back(m_runs->rows()[size_t(m_sorted->mapToSource(index).row())]);
    return runs;
}

void RunLibrary::noteSelection()
{
    const qsizetype count = m_table->selectionModel()->selectedRows().size();
    m_open->setEnabled(count == 1);
    m_save->setEnabled(count == 1);
    m_worksheet->setEnabled(count > 0);
    m_difference->setEnabled(count > 1 && size_t(count) <= AlignedView::kMostRuns);
    std::vector<app::StoredRunId> selected;
    for (const app::RunRow& run : selectedRuns())
        selected.push_back(run.id);
    m_verify->button()->setEnabled(count == 1);
    if (std::exchange(m_verified, selected) != selected)
        m_verify->clear(); // it was said of another run
}

void RunLibrary::verify()
{
    const std::vector<app::RunRow> runs = selectedRuns();
    if (runs.size() != 1 || !m_storage)
        return;
    m_storage->readRecord(runs.front().id,
        [library = QPointer(this), asked = m_verified](const engine::Result<nlohmann::ordered_json>& record) {
            if (!library || library->m_verified != asked)
                return;
            if (record)
                library->m_verify->verify(*record);
            else
                library->m_verify->tell(tr("Not verified. The record could not be read: %1")
                                            .arg(QString::fromStdString(record.error().message)));
        });
}

void RunLibrary::tell(const QString& words)
{
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    emit told(words);
}

void RunLibrary::openAnswer()
{
    const std::vector<app::RunRow> runs = selectedRuns();
    if (runs.size() == 1)
        emit answerChosen(runs.front());
}

void RunLibrary::makeWorksheet() { readSelected(kMostOnWorksheet, &RunLibrary::worksheetRequested); }

void RunLibrary::showDifference() { readSelected(AlignedView::kMostRuns, &RunLibrary::differenceRequested); }

void RunLibrary::readSelected(
    size_t most, void (RunLibrary::*then)(const std::vector<nlohmann::ordered_json>& records))
{
    const std::vector<app::RunRow> runs = selectedRuns();
    if (runs.size() > most)
        return tell(tr("A worksheet has room for %1 runs; %L2 are selected.").arg(most).arg(runs.size()));
    const auto read = std::make_shared<Records>(); // shared by the answers that are to come
    read->records.resize(runs.size());
    read->missing = runs.size();
    for (size_t i = 0; i < runs.size(); ++i)
        m_storage->readRecord(runs[i].id,
            [library = QPointer(this), read, i, then](engine::Result<nlohmann::ordered_json> record) {
                if (record)
                    read->records[i] = std::move(*record);
                else
                    read->error = record.error();
                if (--read->missing > 0 || !library)
                    return;
                library->tell(read->error ? tr("The worksheet was not made: %1")
                                                .arg(QString::fromStdString(read->error->message))
                                          : QString());
                if (!read->error)
                    emit(library.data()->*then)(read->records);
            });
}

void RunLibrary::askWhereToSave()
{
    const std::vector<app::RunRow> runs = selectedRuns();
    if (runs.size() != 1)
        return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the run's record"),
        tr("run-%1.json").arg(runs.front().id), tr("Run records (*.json)"));
    if (!path.isEmpty())
        saveRecord(path);
}

void RunLibrary::saveRecord(const QString& path)
{
    const std::vector<app::RunRow> runs = selectedRuns();
    if (runs.size() != 1 || !m_storage)
        return;
    m_storage->readRecord(runs.front().id,
        [library = QPointer(this), path](const engine::Result<nlohmann::ordered_json>& record) {
            if (!library)
                return;
            const QString name = QFileInfo(path).fileName();
            if (!record)
                return library->tell(tr("The record was not saved: %1")
                                         .arg(QString::fromStdString(record.error().message)));
            const std::string bytes = app::dumped(*record, 1) + "\n";
            QSaveFile file(path);
            const bool isWritten = file.open(QIODevice::WriteOnly)
                && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size())
                && file.commit();
            library->tell(isWritten
                    ? tr("The record was written to %1.").arg(name)
                    : tr("%1 could not be written: %2").arg(name, file.errorString()));
        });
}

void RunLibrary::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        refresh();
    QDialog::changeEvent(event);
}

} // namespace ui
