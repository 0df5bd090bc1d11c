#pragma once

#include "app/conversation/workspace.h"
#include "app/guide/guided_trace.h"

#include <QDialog>
#include <QPointer>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ui {

class MaskTriangle;
class NoteLabel;
class PassTable;
class QuestionCard;

/// The guided trace: a run on paper, pass by pass, and then the same screen on the loaded model.
/// Whatever is not selected yet is not on it, nor in its accessibility tree, nor in the record that
/// it saves.
class GuideWindow : public QDialog {
    Q_OBJECT
public:
    explicit GuideWindow(app::Workspace& workspace, QWidget* parent = nullptr);

    const app::GuidedTrace* trace() const { return m_trace.get(); }

signals:
    void toolRequested(app::TraceTool tool);

private:
    void build();
    QLayout* buildTop();
    QLayout* buildButtons();
    void loadScripts();
    void addScript(app::TraceScript script);
    void askForScript();
    void askWhereToSave();
    void openScript(const QString& path);
    void saveRecord(const QString& path);
    void choose();
    void restart();
    void step();
    void showTrace();
    void showNoRun();
    QString countWords() const;
    QString stateWords() const;
    QString noteWords() const;
    bool isModelReady() const;
    void runModel();
    void followModel();
    void showRun(const app::Draft& draft);
    void showState();

    app::Workspace& m_workspace;
    std::vector<app::TraceScript> m_scripts;
    std::unique_ptr<app::GuidedTrace> m_trace; ///< null: the loaded model is shown
    app::ConversationId m_conversation = 0; ///< of the model's run; 0 = none yet
    QString m_measuredWith; ///< the model of the run that is shown; "" = none is
    QComboBox* m_choice;
    QLabel* m_capName;
    QSpinBox* m_cap;
    QLineEdit* m_prompt;
    QPushButton* m_run;
    NoteLabel* m_note;
    PassTable* m_passes;
    MaskTriangle* m_mask;
    NoteLabel* m_delivered;
    NoteLabel* m_state;
    NoteLabel* m_count;
    NoteLabel* m_positions; ///< of the model's run
    QuestionCard* m_question;
    QPushButton* m_step;
    QPushButton* m_again;
    QPushButton* m_open;
    QPushButton* m_save;
    NoteLabel* m_told; ///< what became of a file
};

} // namespace ui
