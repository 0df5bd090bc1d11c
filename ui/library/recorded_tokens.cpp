#include "ui/library/recorded_tokens.h"

#include "app/runs/opened_record.h"
#include "ui/inspect/piece_words.h"

#include <QLocale>

#include <cmath>

namespace ui {

RecordedTokens::RecordedTokens(std::vector<engine::TokenRecord> tokens, QObject* parent)
    : QAbstractTableModel(parent)
    , m_tokens(std::move(tokens))
{
}

int RecordedTokens::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_tokens.size());
}

int RecordedTokens::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString RecordedTokens::textOf(int row, int column) const
{
    const engine::TokenRecord& token = m_tokens[size_t(row)];
    switch (Column(column)) {
    case Number:
        return QLocale().toString(row + 1);
    case Piece:
        return drawnPiece(token.bytes);
    case Id:
        return token.id == app::kNoTokenId ? QString() : QString::number(token.id);
    case Source:
        return QLatin1String(engine::tokenSourceName(token.source));
    case Probability:
        return token.logprob ? QLocale().toString(std::exp(double(*token.logprob)), 'f', 4)
                             : QString();
    case Rank:
        return token.rank ? QLocale().toString(*token.rank) : QString();
    case Decided:
        return token.decidedMs ? tr("%1 s").arg(QLocale().toString(*token.decidedMs / 1000, 'f', 3))
                               : QString();
    case ColumnCount:
        break;
    }
    return {};
}

QVariant RecordedTokens::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_tokens.size()))
        return {};
    if (role == Qt::DisplayRole)
        return textOf(index.row(), index.column());
    if (role == Qt::TextAlignmentRole) {
        const bool isText = index.column() == Piece || index.column() == Source;
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    return {};
}

QVariant RecordedTokens::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Number:
        return tr("Token");
    case Piece:
        return tr("Piece");
    case Id:
        return tr("Id");
    case Source:
        return tr("Source");
    case Probability:
        return tr("Probability");
    case Rank:
        return tr("Rank");
    case Decided:
        return tr("Decided after");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace ui
