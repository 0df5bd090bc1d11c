#include "ui/library/copied_table.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace ui {

CopiedTable::CopiedTable(QWidget* parent)
    : QTableView(parent)
{
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    setShowGrid(false);
    verticalHeader()->hide();
    // The same height for all: ten thousand rows are not measured.
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + gridUnit(this));
    horizontalHeader()->setHighlightSections(false);
}

QString CopiedTable::tsv() const
{
    if (!model())
        return {};
    const int columnCount = model()->columnCount();
    QStringList lines;
    const auto addLine = [&](auto textOf) {
        QStringList values;
        for (int column = 0; column < columnCount; ++column) {
            QString text = textOf(column).toString();
            for (QChar& sign : text)
                if (sign == QLatin1Char('\t') || sign == QLatin1Char('\n') || sign == QLatin1Char('\r'))
                    sign = QLatin1Char(' ');
            values.append(text);
        }
        lines.append(values.join(QLatin1Char('\t')));
    };
    addLine([&](int column) { return model()->headerData(column, Qt::Horizontal); });
    const bool takesAll = !selectionModel()->hasSelection();
    for (int row = 0; row < model()->rowCount(); ++row)
        if (takesAll || selectionModel()->isRowSelected(row, {}))
            addLine([&](int column) { return model()->index(row, column).data(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void CopiedTable::fitColumns(int widest)
{
    resizeColumnsToContents();
    const int least = gridUnit(this) * 24;
    const int most = std::max(viewport()->width() / 4, least);
    int room = viewport()->width();
    for (int column = 0; model() && column < model()->columnCount(); ++column) {
        setColumnWidth(column, std::min(columnWidth(column), most));
        room -= column == widest ? 0 : columnWidth(column);
    }
    // Where there is no room for it, the table scrolls.
    if (room >= least)
        horizontalHeader()->setSectionResizeMode(widest, QHeaderView::Stretch);
    else
        setColumnWidth(widest, least);
}

void CopiedTable::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy))
        return QTableView::keyPressEvent(event);
    QApplication::clipboard()->setText(tsv());
    event->accept();
}

} // namespace ui
