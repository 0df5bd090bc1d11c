#pragma once

#include "app/storage/run_list.h"

#include <QAbstractTableModel>

namespace ui {

/// The listed runs, one a row. For sorting, kSortRole gives numbers and times as such.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Date, Title, Model, Template, Verdict, Reason, Tokens, Cap, StartedBy, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<app::RunRow> rows);
    const std::vector<app::RunRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static QString textOf(const app::RunRow& row, int column);
    static QVariant sortValueOf(const app::RunRow& row, int column);

    std::vector<app::RunRow> m_rows;
};

/// How many of the listed runs end alike: reason, model, template, count.
class RunCountModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Reason, Model, Template, Count, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCounts(std::vector<app::RunCount> counts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<app::RunCount> m_counts;
};

} // namespace ui
