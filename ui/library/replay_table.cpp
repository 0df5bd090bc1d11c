#include "ui/library/replay_table.h"

#include "ui/inspect/piece_words.h"

#include <QLocale>

#include <algorithm>

namespace ui {

namespace {
    constexpr size_t kShown = 8;
}

ReplayTable::Side ReplayTable::sideOf(const std::vector<app::RunVerification::NamedCandidate>& top,
    const std::optional<app::RunVerification::NamedCandidate>& taken)
{
    Side side;
    side.candidates.assign(top.begin(), top.begin() + std::ptrdiff_t(std::min(top.size(), kShown)));
    if (!taken)
        return side;
    side.taken = taken->id;
    const bool isShown = std::any_of(side.candidates.begin(), side.candidates.end(),
        [&](const auto& candidate) { return candidate.id == taken->id; });
    if (!isShown)
        side.candidates.push_back(*taken);
    return side;
}

void ReplayTable::setDifference(const app::RunVerification::Difference& difference)
{
    beginResetModel();
    m_recorded = sideOf(difference.recordedTop, difference.recorded);
    m_now = difference.replayed ? sideOf(difference.replayedTop, difference.replayed) : Side();
    endResetModel();
}

int ReplayTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0
                            : int(std::max(m_recorded.candidates.size(), m_now.candidates.size()));
}

int ReplayTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString ReplayTable::textOf(int row, int column) const
{
    if (column == Rank)
        return QLocale().toString(row + 1);
    const Side& side = column < Now ? m_recorded : m_now;
    if (size_t(row) >= side.candidates.size())
        return {};
    const app::RunVerification::NamedCandidate& candidate = side.candidates[size_t(row)];
    if (column == RecordedProbability || column == NowProbability)
        return candidate.probability > 0 ? QLocale().toString(candidate.probability, 'f', 4) : QString();
    const QString piece = drawnPiece(candidate.bytes);
    return candidate.id == side.taken ? tr("‘%1’ taken").arg(piece) : tr("‘%1’").arg(piece);
}

QVariant ReplayTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return textOf(index.row(), index.column());
    if (role == Qt::TextAlignmentRole) {
        const bool isText = index.column() == Recorded || index.column() == Now;
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    return {};
}

QVariant ReplayTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Rank:
        return tr("Rank");
    case Recorded:
        return tr("As recorded");
    case Now:
        return tr("Now");
    case RecordedProbability:
    case NowProbability:
        return tr("Probability");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace ui
