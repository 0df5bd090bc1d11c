#include "ui/library/run_table_model.h"

#include "app/conversation/verdict_line.h"
#include "ui/library/run_words.h"

#include <QLocale>

namespace ui {

namespace {
    QVariant alignment(bool isNumber)
    {
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }

    QString numberText(const std::optional<int>& number)
    {
        return number ? QLocale().toString(*number) : QString();
    }
}

void RunTableModel::setRows(std::vector<app::RunRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString RunTableModel::textOf(const app::RunRow& row, int column)
{
    switch (Column(column)) {
    case Date:
        return QLocale().toString(row.openedAt.toLocalTime(), QLocale::ShortFormat);
    case Title:
        return RunWords::title(row.title);
    case Model:
        return row.checkpointFile.isEmpty() ? row.modelName : row.checkpointFile;
    case Template:
        return RunWords::templateFamily(row.templateFamily);
    case Verdict:
        return app::verdictWord(row.verdict());
    case Reason:
        return RunWords::reason(row.reason);
    case Tokens:
        return numberText(row.tokenCount);
    case Cap:
        return numberText(row.lengthCap);
    case StartedBy:
        return RunWords::startedBy(row.startedBy);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant RunTableModel::sortValueOf(const app::RunRow& row, int column)
{
    switch (Column(column)) {
    case Date:
        return row.openedAt;
    case Tokens:
        return row.tokenCount.value_or(-1);
    case Cap:
        return row.lengthCap.value_or(-1);
    default:
        return textOf(row, column).toLower();
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const app::RunRow& row = m_rows[size_t(index.row())];
    const int column = index.column();
    if (role == Qt::DisplayRole)
        return textOf(row, column);
    if (role == kSortRole)
        return sortValueOf(row, column);
    if (role == Qt::TextAlignmentRole)
        return alignment(column == Tokens || column == Cap);
    if (role == Qt::ToolTipRole && column == Model && !row.modelName.isEmpty())
        return row.modelName;
    if (role == Qt::ToolTipRole)
        return textOf(row, column);
    return {};
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Date:
        return tr("Started");
    case Title:
        return tr("Conversation");
    case Model:
        return tr("Model");
    case Template:
        return tr("Template");
    case Verdict:
        return tr("Verdict");
    case Reason:
        return tr("Stop reason");
    case Tokens:
        return tr("Tokens");
    case Cap:
        return tr("Cap");
    case StartedBy:
        return tr("Started by");
    case ColumnCount:
        break;
    }
    return {};
}

void RunCountModel::setCounts(std::vector<app::RunCount> counts)
{
    beginResetModel();
    m_counts = std::move(counts);
    endResetModel();
}

int RunCountModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_counts.size());
}

int RunCountModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant RunCountModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_counts.size()))
        return {};
    const app::RunCount& count = m_counts[size_t(index.row())];
    if (role == Qt::TextAlignmentRole)
        return alignment(index.column() == Count);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (Column(index.column())) {
    case Reason:
        return RunWords::reason(count.reason);
    case Model:
        return count.checkpointFile;
    case Template:
        return RunWords::templateFamily(count.templateFamily);
    case Count:
        return QLocale().toString(count.count);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant RunCountModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Reason:
        return tr("Stop reason");
    case Model:
        return tr("Model");
    case Template:
        return tr("Template");
    case Count:
        return tr("Runs");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace ui
