#include "ui/compare/aligned_model.h"

#include "ui/inspect/trace_words.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFont>
#include <QPalette>

#include <cmath>

namespace ui {

AlignedModel::AlignedModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void AlignedModel::setRuns(const std::vector<AlignedRun>* runs)
{
    beginResetModel();
    m_runs = runs;
    m_common.clear();
    m_firstDifference.reset();
    for (size_t i = 0; runs && i < runs->size(); ++i) {
        const app::ComparedRun& first = runs->front().run;
        const app::ComparedRun& run = (*runs)[i].run;
        m_common.push_back(app::commonTokens(first, run));
        const auto isAllOf = [&](const AlignedRun& one) { return m_common[i] == one.run.tokens.size(); };
        const AlignedRun& firstRun = runs->front();
        const AlignedRun& other = (*runs)[i];
        const bool isWhole = isAllOf(firstRun) && isAllOf(other);
        // One that is under way may yet go along.
        const bool isOpen = (isAllOf(firstRun) && firstRun.isUnderWay) || (isAllOf(other) && other.isUnderWay);
        if (!isWhole && !isOpen)
            m_firstDifference = std::min(m_firstDifference.value_or(m_common[i]), m_common[i]);
    }
    endResetModel();
}

int AlignedModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_runs)
        return 0;
    size_t most = 0;
    for (const AlignedRun& run : *m_runs)
        most = std::max(most, run.run.tokens.size());
    return int(most);
}

int AlignedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_runs ? 0 : int(m_runs->size());
}

bool AlignedModel::isCommon(size_t run, size_t token) const
{
    return run == 0 ? !m_firstDifference || token < *m_firstDifference : token < m_common[run];
}

QVariant AlignedModel::data(const QModelIndex& index, int role) const
{
    const size_t token = size_t(index.row());
    const size_t column = size_t(index.column());
    const AlignedRun& run = (*m_runs)[column];
    if (token >= run.run.tokens.size())
        return role != Qt::AccessibleTextRole ? QVariant()
            : run.isUnderWay                  ? tr("%1 has not come so far").arg(run.label)
                                              : tr("%1 has ended").arg(run.label);
    const engine::TokenRecord& record = run.run.tokens[token];
    const QString share = record.logprob ? shareWords(std::exp(double(*record.logprob))) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return share.isEmpty() ? run.drawnAt(token) : QStringLiteral("%1   %2").arg(run.drawnAt(token), share);
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
        return tr("token %1 of %2: ‘%3’%4%5")
            .arg(token + 1)
            .arg(run.label, run.drawnAt(token), share.isEmpty() ? QString() : tr(", probability %1").arg(share),
                isCommon(column, token) ? tr(", the same") : tr(", different"));
    case Qt::ForegroundRole:
        return isCommon(column, token) ? Theme::of(QApplication::palette()).mutedText
                                       : Theme::of(QApplication::palette()).text;
    case Qt::BackgroundRole:
        return m_firstDifference == token ? QVariant(Theme::of(QApplication::palette()).selection) : QVariant();
    case Qt::FontRole:
        if (m_firstDifference == token) {
            QFont font = QApplication::font();
            font.setBold(true);
            return font;
        }
        return {};
    default:
        return {};
    }
}

QVariant AlignedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || !m_runs)
        return {};
    return orientation == Qt::Vertical ? QVariant(section + 1) : QVariant((*m_runs)[size_t(section)].label);
}

} // namespace ui
