#pragma once

#include "app/compare/run_difference.h"
#include "ui/compare/aligned_run.h"

#include <QAbstractTableModel>

namespace ui {

/// Two to four runs token by token: a row for each place, a column for each run.
class AlignedModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit AlignedModel(QObject* parent = nullptr);

    void setRuns(const std::vector<AlignedRun>* runs);
    /// The first place where one of them differs from the first; none: they are the same.
    std::optional<size_t> firstDifference() const { return m_firstDifference; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool isCommon(size_t run, size_t token) const;

    const std::vector<AlignedRun>* m_runs = nullptr;
    std::vector<size_t> m_common; ///< of each with the first
    std::optional<size_t> m_firstDifference;
};

} // namespace ui
