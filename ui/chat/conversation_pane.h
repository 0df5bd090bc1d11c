#pragma once

#include "app/storage/storage.h"

#include <QWidget>

class QListView;
class QMenu;

namespace app {
class Conversation;
class Workspace;
}

namespace ui {

class ConversationListModel;
class ConversationSearch;
class Removals;

/// The conversations, in folders, and the search in all of them.
class ConversationPane : public QWidget {
    Q_OBJECT
public:
    /// storage: null where nothing is kept.
    ConversationPane(app::Workspace& workspace, app::Storage* storage, QWidget* parent);

    /// Renaming, deleting and moving the current conversation, in the menu and beside the list.
    void addEntries(QMenu& menu, Removals& removals);
    void setCurrent(const app::Conversation* conversation);
    void focusSearch();
    QListView& list() { return *m_view; }

signals:
    void newChatRequested();
    void conversationChosen(app::Conversation* conversation);
    void hitChosen(const app::SearchHit& hit);

private:
    app::Workspace& m_workspace;
    ConversationListModel* m_model;
    QListView* m_view;
    ConversationSearch* m_search;
};

} // namespace ui
