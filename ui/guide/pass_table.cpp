#include "ui/guide/pass_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>

namespace ui {

namespace {
    enum Column { Pass, Input, Computed, Cache, Selected, Time, ColumnCount };

    QTableWidgetItem* cell(const QString& text)
    {
        auto* item = new QTableWidgetItem(text);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setToolTip(text.toHtmlEscaped());
        return item;
    }
}

PassTable::PassTable(QWidget* parent)
    : QTableWidget(0, ColumnCount, parent)
{
    setHorizontalHeaderLabels({ tr("Pass"), tr("Full input"), tr("Positions computed"),
        tr("Cache holds after"), tr("Selected"), tr("Time") });
    setAccessibleName(tr("Passes"));
    setObjectName(QStringLiteral("passes"));
    setSelectionBehavior(SelectRows);
    setWordWrap(true);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Input, QHeaderView::Stretch);
}

void PassTable::setRows(const std::vector<app::TraceRow>& rows, bool hasTimes)
{
    setColumnHidden(Time, !hasTimes);
    const int before = rowCount();
    setRowCount(int(rows.size()));
    for (int i = 0; i < rowCount(); ++i) {
        const app::TraceRow& row = rows[size_t(i)];
        const QString selected = QString::fromStdString(row.selected).trimmed();
        setItem(i, Pass, cell(QString::number(i + 1)));
        setItem(i, Input, cell(QString::fromStdString(row.input)));
        setItem(i, Computed, cell(QString::number(row.computedCount)));
        setItem(i, Cache, cell(row.cacheAfter ? QString::number(*row.cacheAfter) : QString()));
        setItem(i, Selected, cell(row.isEnd ? tr("%1 (ends it)").arg(selected) : selected));
        setItem(i, Time,
            cell(row.hostMs ? tr("%1 ms").arg(QLocale().toString(*row.hostMs, 'f', 1)) : QString()));
    }
    resizeRowsToContents();
    if (rowCount() > before)
        scrollToBottom();
}

QString PassTable::tsv() const
{
    const auto selected = selectionModel()->selectedRows();
    QStringList lines;
    const auto lineOf = [this](auto textOf) {
        QStringList values;
        for (int column = 0; column < ColumnCount; ++column)
            if (!isColumnHidden(column))
                values.append(QString(textOf(column)).replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(
                    QLatin1Char('\n'), QLatin1Char(' ')));
        return values.join(QLatin1Char('\t'));
    };
    lines.append(lineOf([this](int column) { return horizontalHeaderItem(column)->text(); }));
    for (int row = 0; row < rowCount(); ++row)
        if (selected.isEmpty() || selectionModel()->isRowSelected(row, {}))
            lines.append(lineOf([this, row](int column) { return item(row, column)->text(); }));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void PassTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(tsv());
    else
        QTableWidget::keyPressEvent(event);
}

} // namespace ui
