#pragma once

#include "app/conversation/workspace.h"
#include "app/inspection/token_track.h"
#include "app/settings/settings_file.h"
#include "ui/chat/answer_tints.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>

class QAction;
class QWidget;

namespace ui {

class AnswerLink;
class ChatView;
class InspectorPane;

/// Joins the inspector with the conversation that is shown: it follows the last answer, or one that
/// was chosen, while that is written and after. Nothing is listed while the pane is hidden.
/// The ids of an answer of an earlier start are read when it is first looked at. GUI thread.
class InspectorControl : public QObject {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        ChatView& chat;
        InspectorPane& pane;
        app::SettingsFile& store;
    };
    explicit InspectorControl(const Parts& parts, QObject* parent = nullptr);
    ~InspectorControl() override;

    /// Shows and hides the pane; for a menu.
    QAction* action() const { return m_action; }
    void setConversation(app::Conversation* conversation);
    /// Opens the pane on this answer. On the last one it goes on with the next that comes.
    void inspect(size_t turnIndex);
    /// The answer that is looked at; none while the pane is hidden.
    std::optional<size_t> turnIndex() const { return m_shownIndex; }
    const app::TokenTrack* track() const { return m_track.get(); }

signals:
    /// Tints of the shown answer's text where it has no view in the chat, as on a page of plain text:
    /// these replace all from an index on.
    void tintsChanged(size_t from, const std::vector<ui::ByteTint>& tints);

private:
    void giveTints(bool restarts);
    void setShown(bool shown);
    void focusStrip(Qt::FocusReason reason);
    void follow();
    void takeEvent(size_t turnIndex);
    void updateText(bool restarts);
    void drop();
    QString notice(const app::Answer& answer) const;
    QString title() const;
    std::shared_ptr<const engine::ModelText> vocabularyFor(const app::Answer& answer) const;

    app::Workspace& m_workspace;
    ChatView& m_chat;
    InspectorPane& m_pane;
    app::SettingsFile& m_store;
    QAction* m_action;
    AnswerLink* m_link;
    QPointer<app::Conversation> m_conversation;
    std::optional<size_t> m_chosenIndex; ///< none: the last answer
    std::optional<size_t> m_shownIndex;
    const app::Answer* m_answer = nullptr; ///< what m_track lists
    size_t m_givenTints = 0; ///< of those told by tintsChanged
    bool m_hasAskedForDetails = false; ///< of m_answer
    std::unique_ptr<app::TokenTrack> m_track;
    QPointer<QWidget> m_focusBefore;
};

} // namespace ui
