#pragma once

#include "app/conversation/workspace.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/message_input.h"

class QHBoxLayout;

namespace ui {

/// The middle of the window for a chat: a header line, the messages, the message box.
/// What is typed belongs to the conversation and is never lost: it leaves the box only when it was
/// sent.
class ChatPage : public QWidget {
    Q_OBJECT
public:
    explicit ChatPage(app::Workspace& workspace, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    ChatView& view() { return *m_view; }
    MessageInput& input() { return *m_input; }

    void send();
    void stop();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void countTokens();

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    ChatView* m_view;
    MessageInput* m_input;
    QHBoxLayout* m_inputRow;
    QHash<app::ConversationId, QString> m_openings; ///< of chats that are not shown
};

} // namespace ui
