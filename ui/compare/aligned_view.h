#pragma once

#include "ui/compare/aligned_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace ui {

class StepDistribution;

/// Two to four runs token by token: equal beginnings pale, the first difference marked in all
/// columns with both distributions side by side and what made it.
class AlignedView : public QWidget {
    Q_OBJECT
public:
    static constexpr size_t kMostRuns = 4;

    explicit AlignedView(QWidget* parent = nullptr);

    /// Whether a token may be swapped for another run's; at first it may.
    void setSwapsOffered(bool offered) { m_offersSwaps = offered; }

    /// The place that is looked at stays, where there still is one.
    void setRuns(std::vector<AlignedRun> runs);
    const std::vector<AlignedRun>& runs() const { return m_runs; }
    const AlignedModel& model() const { return *m_model; }
    /// Selects the first place where they part. False: they do not.
    bool showFirstDifference();
    /// What is marked as tab-separated values; all when nothing is.
    QString tsv() const;

signals:
    /// The answer of this run shall be forked at this new token with another one.
    void swapRequested(size_t run, size_t token, engine::TokenId id);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showToken(size_t token);
    void showCauses();

    std::vector<AlignedRun> m_runs;
    AlignedModel* m_model;
    QTableView* m_table;
    QPushButton* m_first;
    QLabel* m_causes;
    QWidget* m_steps;
    std::vector<StepDistribution*> m_distributions;
    size_t m_token = 0;
    bool m_offersSwaps = true;
};

} // namespace ui
