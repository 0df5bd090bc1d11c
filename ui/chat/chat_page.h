#pragma once

#include "app/conversation/prompt_gauge.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/message_input.h"

class QHBoxLayout;

namespace ui {

class FindBar;
class SourceShelf;

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
    FindBar& findBar() { return *m_find; }
    /// Shows this message, on whichever branch it is, as soon as the conversation has been read;
    /// the first place with this text is selected.
    void showMessage(app::MessageId message, const QString& text);
    const app::PromptGauge& gauge() const { return m_gauge; }

    void send();
    /// What was typed in this chat was sent from elsewhere: it leaves the box if it is still there.
    void noteSent(app::Conversation* conversation, const QString& text);
    void stop();
    /// Asks for a source text, to be pasted.
    void addSource();

signals:
    void removeSourceRequested(app::SourceId id);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void refresh();
    void showWanted();
    void showMeasure();
    void readSource(app::SourceId id);

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    app::PromptGauge m_gauge;
    ChatView* m_view;
    SourceShelf* m_shelf;
    MessageInput* m_input;
    FindBar* m_find;
    app::MessageId m_wantedMessage = 0; ///< to be shown once the conversation has been read
    QString m_wantedText;
    QHBoxLayout* m_inputRow;
    QHash<app::ConversationId, QString> m_openings; ///< of chats that are not shown
    QHBoxLayout* m_findRow;
};

} // namespace ui
