#pragma once

#include "app/compare/cross_score.h"
#include "ui/compare/aligned_run.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStandardItemModel;

namespace ui {

class CopiedTable;

/// One run's text scored under another run's model, prompt and settings: what each makes of every
/// token, and the difference.
class CrossScoreView : public QWidget {
    Q_OBJECT
public:
    explicit CrossScoreView(app::Workspace& workspace, QWidget* parent = nullptr);

    /// What was scored stays shown, and a score under way goes on, as long as both runs are among these.
    void setRuns(std::vector<AlignedRun> runs);
    const app::CrossScore& score() const { return *m_score; }

private:
    void beginOrStop();
    void followRuns();
    void showButton();
    void showScore();
    void fillRows();

    std::vector<AlignedRun> m_runs;
    std::optional<AlignedRun> m_text; ///< that is or was scored
    std::optional<AlignedRun> m_under; ///< by whose model, prompt and settings
    QString m_remark; ///< why there is no score; "": there is, or it is under way or failed
    app::CrossScore* m_score;
    QComboBox* m_textOf;
    QComboBox* m_underOf;
    QPushButton* m_begin;
    QLabel* m_words;
    QStandardItemModel* m_rows;
    CopiedTable* m_table;
};

} // namespace ui
