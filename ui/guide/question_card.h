#pragma once

#include "app/guide/guided_trace.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace ui {

class NoteLabel;

/// One question of a guided trace: it shows its answer after the person has given theirs.
class QuestionCard : public QWidget {
    Q_OBJECT
public:
    explicit QuestionCard(QWidget* parent = nullptr);

    void setAsked(const std::optional<app::TraceAsked>& asked);

signals:
    void given(const QString& answer);
    void nextRequested();
    void toolRequested(app::TraceTool tool);

private:
    void give();

    NoteLabel* m_ask;
    QLineEdit* m_line;
    QPushButton* m_give;
    NoteLabel* m_given;
    NoteLabel* m_answer;
    QPushButton* m_tool;
    QPushButton* m_next;
    app::TraceTool m_opens = app::TraceTool::None;
};

} // namespace ui
