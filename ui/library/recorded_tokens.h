#pragma once

#include "engine/sampling/token_record.h"

#include <QAbstractTableModel>

namespace ui {

/// The new tokens of a run record, one a row. What was not recorded is blank.
class RecordedTokens : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Piece, Id, Source, Probability, Rank, Decided, ColumnCount };

    explicit RecordedTokens(std::vector<engine::TokenRecord> tokens, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(int row, int column) const;

    std::vector<engine::TokenRecord> m_tokens;
};

} // namespace ui
