#include "ui/library/copied_table.h"

#include "ui/theme/table_tsv.h"
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

QString CopiedTable::tsv() const { return tableTsv(*this); }

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
