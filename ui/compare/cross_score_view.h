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

    /// What was scored stays shown.
    void setRuns(std::vector<AlignedRun> runs);
    const app::CrossScore& score() const { return *m_score; }

private:
    void begin();
    void showScore();
    void fillRows();

    std::vector<AlignedRun> m_runs;
    std::optional<AlignedRun> m_text; ///< that is or was scored
    QString m_under;
    app::CrossScore* m_score;
    QComboBox* m_textOf;
    QComboBox* m_underOf;
    QPushButton* m_begin;
    QLabel* m_words;
    QStandardItemModel* m_rows;
    CopiedTable* m_table;
};

} // namespace ui
