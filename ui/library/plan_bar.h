#pragma once

#include "app/conversation/planned_run.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

/// Starts a planned run, or says why it would be another one; afterwards, how it stands.
class PlanBar : public QWidget {
    Q_OBJECT
public:
    explicit PlanBar(std::unique_ptr<app::PlannedRun> plan, QWidget* parent = nullptr);

    const app::PlannedRun& plan() const { return *m_plan; }
    /// Begins the run, and stops it while it is under way: for a window's row of buttons.
    QPushButton* button() { return m_button; }

signals:
    /// What was observed of the run is in the plan's record.
    void filled();
    /// The planned message became a turn of the chat.
    void started(app::Conversation* conversation, const QString& text);
    void told(const QString& words);

private:
    void press();
    void showState();
    void tell(const QString& words);

    std::unique_ptr<app::PlannedRun> m_plan;
    QPushButton* m_button;
    QLabel* m_words;
};

} // namespace ui
