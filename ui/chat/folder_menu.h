#pragma once

#include "app/conversation/workspace.h"

#include <QMenu>

class QListView;

namespace ui {

class ConversationListModel;

/// "Move to folder": where the list's current conversation goes, and what may be done with folders.
/// Names are changed in the list, in place.
class FolderMenu : public QMenu {
    Q_OBJECT
public:
    FolderMenu(app::Workspace& workspace, ConversationListModel& model, QListView& list);

private:
    void fill();
    void moveToNewFolder(app::Conversation& conversation);
    void rename(app::FolderId folder);

    app::Workspace& m_workspace;
    ConversationListModel& m_model;
    QListView& m_list;
};

} // namespace ui
