#include "ui/chat/folder_menu.h"

#include "ui/chat/conversation_list.h"
#include "ui/theme/icon.h"

#include <QListView>

#include <algorithm>

namespace ui {

namespace {
    // A menu reads "&" as a mark of its key.
    QString menuText(QString name) { return name.replace(QLatin1Char('&'), QLatin1String("&&")); }
}

FolderMenu::FolderMenu(app::Workspace& workspace, ConversationListModel& model, QListView& list)
    : QMenu(tr("&Move to folder"), &list)
    , m_workspace(workspace)
    , m_model(model)
    , m_list(list)
{
    setIcon(ui::icon(IconName::Folder));
    connect(this, &QMenu::aboutToShow, this, &FolderMenu::fill);
    fill();
}

void FolderMenu::fill()
{
    clear();
    const QModelIndex current = m_list.currentIndex();
    app::Conversation* conversation = m_model.conversationAt(current);
    const app::FolderId shown = conversation ? conversation->folder() : m_model.headingAt(current);
    if (conversation) {
        const auto addChoice = [&](const QString& text, app::FolderId id) {
            QAction* choice = addAction(text, this, [this, id, conversation = conversation->id()] {
                if (app::Conversation* moved = m_workspace.findConversation(conversation))
                    moved->setFolder(id);
            });
            choice->setCheckable(true);
            choice->setChecked(id == conversation->folder());
        };
        for (const app::StoredFolder& folder : m_workspace.folders().all())
            addChoice(menuText(folder.name), folder.id);
        if (!m_workspace.folders().all().empty())
            addChoice(tr("No folder"), 0);
        addAction(tr("&New folder…"), this, [this, id = conversation->id()] {
            if (app::Conversation* moved = m_workspace.findConversation(id))
                moveToNewFolder(*moved);
        });
    }
    const QString name = menuText(m_workspace.folders().nameOf(shown));
    if (name.isEmpty())
        return;
    addSeparator();
    addAction(tr("&Rename folder “%1”").arg(name), this, [this, shown] { rename(shown); });
    addAction(tr("Remo&ve folder “%1”; its conversations stay").arg(name), this,
        [this, shown] { m_workspace.folders().remove(shown); });
}

void FolderMenu::moveToNewFolder(app::Conversation& conversation)
{
    const std::vector<app::StoredFolder>& folders = m_workspace.folders().all();
    QString name = tr("New folder");
    for (int number = 2; std::any_of(folders.begin(), folders.end(),
             [&](const app::StoredFolder& folder) { return folder.name == name; });
         ++number)
        name = tr("New folder %1").arg(number);
    const app::FolderId id = m_workspace.folders().add(name);
    conversation.setFolder(id);
    rename(id);
}

void FolderMenu::rename(app::FolderId folder)
{
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex index = m_model.index(row);
        if (m_model.headingAt(index) != folder)
            continue;
        m_list.setFocus();
        m_list.scrollTo(index);
        m_list.edit(index);
        return;
    }
}

} // namespace ui
