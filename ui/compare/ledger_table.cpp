#include "ui/compare/ledger_table.h"

#include "ui/chat/ledger_words.h"

#include <QHeaderView>
#include <QStandardItemModel>

#include <algorithm>

namespace ui {

namespace {
    LedgerWords wordsOf(const AlignedRun& run)
    {
        const app::ComparedRun& told = run.run;
        const QString last = told.tokens.empty() ? QString() : run.drawnAt(told.tokens.size() - 1);
        const QString end = told.ledger.endTokenId ? run.drawn(*told.ledger.endTokenId) : QString();
        return ledgerWords(told.ledger, last, end);
    }

    QStandardItem* itemOf(const LedgerRow& row, const QString& label)
    {
        auto* item = new QStandardItem(row.decided ? LedgerTable::tr("■ %1").arg(row.state) : row.state);
        QFont font = item->font();
        font.setBold(row.decided);
        item->setFont(font);
        item->setData(LedgerTable::tr("%1: %2%3").arg(label, row.sentence(), row.decided ? LedgerTable::tr("; it ended the run") : QString()),
            Qt::AccessibleTextRole);
        item->setToolTip(row.sentence().toHtmlEscaped());
        return item;
    }
}

LedgerTable::LedgerTable(QWidget* parent)
    : CopiedTable(parent)
    , m_rows(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("ledgers"));
    setAccessibleName(tr("Ledgers side by side"));
    setModel(m_rows);
}

void LedgerTable::setRuns(const std::vector<AlignedRun>& runs)
{
    m_rows->clear();
    QStringList headings { tr("Condition") };
    QStringList conditions;
    std::vector<LedgerWords> words;
    for (const AlignedRun& run : runs) {
        headings.append(run.label);
        words.push_back(run.run.reason ? wordsOf(run) : LedgerWords());
        for (const LedgerRow& row : words.back().rows)
            if (!conditions.contains(row.condition))
                conditions.append(row.condition);
    }
    for (const QString& condition : conditions) {
        QList<QStandardItem*> line { new QStandardItem(condition) };
        for (size_t i = 0; i < words.size(); ++i) {
            const auto row = std::ranges::find(words[i].rows, condition, &LedgerRow::condition);
            line.append(row == words[i].rows.end() ? new QStandardItem : itemOf(*row, runs[i].label));
        }
        m_rows->appendRow(line);
    }
    m_rows->setHorizontalHeaderLabels(headings);
    horizontalHeader()->setSectionResizeMode(runs.empty() ? QHeaderView::Interactive : QHeaderView::Stretch);
}

} // namespace ui
