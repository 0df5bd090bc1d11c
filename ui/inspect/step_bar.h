#pragma once

#include "app/conversation/draft.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace ui {

/// Step mode: pauses an answer that is being written, adds a token at a time, also of one's own words, or lets it run on
/// to a breakpoint. It asks; what happened is told by setDraft. GUI thread.
class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(QWidget* parent = nullptr);

    /// Shows what may be done with this draft; null: nothing.
    void setDraft(const app::Draft* draft);
    bool canPause() const { return m_canPause; }
    bool canResume() const { return m_canResume; }
    /// Space: pause or go on; '.': one token; T: to the field of the next tokens. False for other keys, and where the key can do nothing now.
    bool handleKey(const QKeyEvent& event);
    /// How the run goes on with the chosen breakpoint.
    engine::Pace pace() const;
    /// How the words for the next tokens would be cut: "2 tokens: ‘ Par’ ‘is’".
    void setNextWords(const QString& words);
    void clearNext();

signals:
    void pauseRequested();
    void resumeRequested(const engine::Pace& pace);
    /// What a person would have next: to be told by setNextWords.
    void nextEdited(const QString& text);
    /// The tokens of this text, then another pause.
    void nextRequested(const QString& text);

private:
    enum Stop { ToEnd, AtText, AtProbability, AtEntropy, AtEnding };
    QToolButton* addButton(const QString& words, const QString& help);
    void togglePause();
    void step();
    void runOn();
    void takeNext();
    void showField();
    void enableParts();

    bool m_canPause = false;
    bool m_canResume = false;
    QToolButton* m_pause;
    QToolButton* m_step;
    QToolButton* m_run;
    QComboBox* m_stop;
    QStackedWidget* m_fields;
    QLineEdit* m_text;
    QDoubleSpinBox* m_percent;
    QDoubleSpinBox* m_nats;
    QLabel* m_state;
    QLineEdit* m_next;
    QToolButton* m_take;
    QLabel* m_nextWords;
};

} // namespace ui
