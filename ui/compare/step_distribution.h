#pragma once

#include "ui/compare/aligned_run.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

class CandidateList;
class NoteLabel;

/// What one run could have said at one place: its candidates as bars.
class StepDistribution : public QWidget {
    Q_OBJECT
public:
    explicit StepDistribution(QWidget* parent = nullptr);

    /// swapsTo: the token that another run has there; none: there is nothing to swap.
    void showStep(const AlignedRun& run, size_t token, std::optional<engine::TokenId> swapsTo);

signals:
    /// The run shall be forked here with this token instead.
    void swapRequested(engine::TokenId id);

private:
    QLabel* m_title;
    CandidateList* m_list;
    NoteLabel* m_note;
    QPushButton* m_swap;
    std::optional<engine::TokenId> m_swapsTo;
};

} // namespace ui
