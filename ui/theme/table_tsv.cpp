#include "ui/theme/table_tsv.h"

#include <QStringList>
#include <QTableView>

namespace ui {

namespace {
    QString cellText(const QVariant& value)
    {
        QString text = value.toString();
        for (QChar& sign : text)
            if (sign == QLatin1Char('\t') || sign == QLatin1Char('\n') || sign == QLatin1Char('\r'))
                sign = QLatin1Char(' ');
        return text;
    }
}

QString tableTsv(const QTableView& table, const QString& rowHeading)
{
    const QAbstractItemModel* model = table.model();
    if (!model)
        return {};
    QStringList lines;
    const auto addLine = [&](const QString& beside, auto valueOf) {
        QStringList values;
        if (!rowHeading.isEmpty())
            values.append(beside);
        for (int column = 0; column < model->columnCount(); ++column)
            if (!table.isColumnHidden(column))
                values.append(cellText(valueOf(column)));
        lines.append(values.join(QLatin1Char('\t')));
    };
    addLine(rowHeading, [&](int column) { return model->headerData(column, Qt::Horizontal); });
    const bool takesAll = !table.selectionModel()->hasSelection();
    for (int row = 0; row < model->rowCount(); ++row)
        if (takesAll || table.selectionModel()->isRowSelected(row, {}))
            addLine(cellText(model->headerData(row, Qt::Vertical)),
                [&](int column) { return model->index(row, column).data(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace ui
