#include "ui/guide/fact_table.h"

#include "ui/theme/table_tsv.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

namespace ui {

FactTable::FactTable(const QStringList& headers, QWidget* parent)
    : QTableWidget(0, int(headers.size()), parent)
{
    setHorizontalHeaderLabels(headers);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setWordWrap(true);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    // Text wraps: rows fit once all columns have their widths.
    m_fit.setSingleShot(true);
    connect(&m_fit, &QTimer::timeout, this, &FactTable::resizeRowsToContents);
    connect(horizontalHeader(), &QHeaderView::sectionResized, &m_fit, qOverload<>(&QTimer::start));
}

void FactTable::setFacts(const std::vector<QStringList>& rows)
{
    setRowCount(int(rows.size()));
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column) {
            const QString text = rows[size_t(row)].value(column);
            auto* cell = new QTableWidgetItem(text);
            cell->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            cell->setToolTip(text.toHtmlEscaped());
            setItem(row, column, cell);
        }
    resizeRowsToContents();
}

QString FactTable::tsv() const { return tableTsv(*this); }

void FactTable::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy))
        return QTableWidget::keyPressEvent(event);
    QApplication::clipboard()->setText(tsv());
    event->accept();
}

} // namespace ui
