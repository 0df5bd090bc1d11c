#pragma once

#include "app/conversation/workspace.h"

#include <QObject>
#include <QPointer>

class QToolButton;

namespace ui {

class ForkLine;
class InspectorControl;
class InspectorPane;
class StepBar;

/// What a person may do from the inspector: fork the answer at a token, write it step by step or with one's own next tokens, take over sampler settings
/// that were tried, and save the tokens as a table. GUI thread.
class InspectorActions : public QObject {
    Q_OBJECT
public:
    /// Adds its parts to the pane, which owns them.
    InspectorActions(app::Workspace& workspace, InspectorControl& control, InspectorPane& pane, QObject* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    StepBar& steps() { return *m_steps; }
    ForkLine& forkLine() { return *m_forkLine; }
    /// Writes the table of the shown answer's tokens: JSON where the name ends so, else CSV. A fault becomes a problem of
    /// the conversation.
    bool saveTokens(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A fork of an answer that is being written waits until it has been stopped.
    struct WaitingFork {
        app::MessageId answer = 0;
        int tokenIndex = 0;
        app::ForkChoice choice;
    };
    /// Of the current token, counted from the answer's start; none for a prompt's.
    std::optional<int> currentIndex() const;
    void fork(app::ForkChoice choice);
    void forkWaiting();
    void askWhereToSave();
    void useSettings(const engine::SamplerSettings& settings);
    engine::TokenIds nextIds(const QString& text) const;
    void tellNext(const QString& text);
    void takeNext(const QString& text);
    void follow();
    void noteCurrent();

    app::Workspace& m_workspace;
    InspectorControl& m_control;
    InspectorPane& m_pane;
    StepBar* m_steps;
    ForkLine* m_forkLine;
    QToolButton* m_save;
    QPointer<app::Conversation> m_conversation;
    std::optional<WaitingFork> m_waiting;
};

} // namespace ui
