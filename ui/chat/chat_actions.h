#pragma once

#include "app/conversation/workspace.h"
#include "app/settings/settings_file.h"

#include <QObject>

class QMenu;

namespace ui {

class ChatPage;
class PlainTextPage;

/// What can be done with the shown conversation, as entries of a menu.
class ChatActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        ChatPage& chatPage;
        PlainTextPage& plainTextPage; ///< which of the two is shown says what an entry means
        app::SettingsFile& store;
    };
    ChatActions(const Parts& parts, QObject* parent);

    /// Writing, changing, going between and copying answers.
    void addAnswerEntries(QMenu& menu);
    /// Searching; in all conversations only where they are kept.
    void addFindEntries(QMenu& menu, bool areKept);
    /// Null while none is shown.
    void setConversation(app::Conversation* conversation) { m_conversation = conversation; }
    void focusInput();

signals:
    void searchRequested();

private:
    void stop();
    void regenerate();
    void continueAnswer();
    void addSource();
    void beginAnswer();
    void editLastMessage();
    void editLastAnswer();
    void showPreviousAnswer();
    void showNextAnswer();
    void showSibling(int step);
    void copyAnswer();
    void setCopiesVerdict(bool copies);
    void findInChat();
    void findNext();
    void findPrevious();
    bool showsPage() const;
    bool isChat() const;

    app::Workspace& m_workspace;
    ChatPage& m_chatPage;
    PlainTextPage& m_plainTextPage;
    app::SettingsFile& m_store;
    app::Conversation* m_conversation = nullptr;
};

} // namespace ui
