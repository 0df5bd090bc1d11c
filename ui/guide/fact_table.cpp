#include "ui/guide/fact_table.h"

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

QString FactTable::tsv() const
{
    QStringList lines;
    const auto addLine = [&](auto textOf) {
        QStringList values;
        for (int column = 0; column < columnCount(); ++column) {
            if (isColumnHidden(column))
                continue;
            QString text = textOf(column);
            for (QChar& sign : text)
                if (sign == QLatin1Char('\t') || sign == QLatin1Char('\n')
                    || sign == QLatin1Char('\r'))
                    sign = QLatin1Char(' ');
            values.append(text);
        }
        lines.append(values.join(QLatin1Char('\t')));
    };
    addLine([this](int column) { return horizontalHeaderItem(column)->text(); });
    const bool takesAll = !selectionModel()->hasSelection();
    for (int row = 0; row < rowCount(); ++row)
        if (takesAll || selectionModel()->isRowSelected(row, {}))
            addLine([this, row](int column) { return item(row, column)->text(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void FactTable::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy))
        return QTableWidget::keyPressEvent(event);
    QApplication::clipboard()->setText(tsv());
    event->accept();
}

} // namespace ui
