#include "ui/guide/pass_table.h"

#include "ui/inspect/piece_words.h"

#include <QHeaderView>
#include <QLocale>

namespace ui {

namespace {
    enum Column { Pass, Input, Computed, Cache, Selected, Time };
}

PassTable::PassTable(QWidget* parent)
    : FactTable({ tr("Pass"), tr("Full input"), tr("Positions computed"), tr("Cache holds after"),
                    tr("Selected"), tr("Time") },
        parent)
{
    setAccessibleName(tr("Passes"));
    setObjectName(QStringLiteral("passes"));
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Input, QHeaderView::Stretch);
}

void PassTable::setRows(const std::vector<app::TraceRow>& rows, bool hasTimes)
{
    setColumnHidden(Time, !hasTimes);
    const int before = rowCount();
    std::vector<QStringList> facts;
    for (const app::TraceRow& row : rows) {
        const QString text = QString::fromStdString(row.selected);
        const QString selected
            = text.trimmed().isEmpty() ? drawnPiece(row.selected) : text.trimmed();
        // A chat template has many line breaks, and every pass is a row.
        const QString input
            = QString::fromStdString(row.input).replace(QLatin1Char('\n'), QStringLiteral("⏎ "));
        facts.push_back({ QString::number(facts.size() + 1), input,
            QString::number(row.computedCount),
            row.cacheAfter ? QString::number(*row.cacheAfter) : QString(),
            row.isEnd ? tr("%1 (ends it)").arg(selected) : selected,
            row.hostMs ? tr("%1 ms").arg(QLocale().toString(*row.hostMs, 'f', 1)) : QString() });
    }
    setFacts(facts);
    if (rowCount() > before)
        scrollToBottom();
}

} // namespace ui
