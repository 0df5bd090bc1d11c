#pragma once

#include "app/compare/run_verification.h"

#include <QAbstractTableModel>

namespace ui {

/// What could have come at the first token that is another one: as it was recorded, and as it came
/// out now, side by side, likeliest first. The token that was taken is marked.
class ReplayTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Rank, Recorded, RecordedProbability, Now, NowProbability, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setDifference(const app::RunVerification::Difference& difference);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// The candidates of one run; the token that was taken is added where it is not among them.
    struct Side {
        std::vector<app::RunVerification::NamedCandidate> candidates;
        engine::TokenId taken = 0;
    };
    static Side sideOf(const std::vector<app::RunVerification::NamedCandidate>& top,
        const std::optional<app::RunVerification::NamedCandidate>& taken);
    QString textOf(int row, int column) const;

    Side m_recorded;
    Side m_now;
};

} // namespace ui
