#include "ui/chat/conversation_pane.h"

#include "app/conversation/workspace.h"
#include "ui/chat/conversation_list.h"
#include "ui/chat/folder_menu.h"
#include "ui/find/conversation_search.h"
#include "ui/menu_entry.h"
#include "ui/removals.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

ConversationPane::ConversationPane(app::Workspace& workspace, app::Storage* storage, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_model(new ConversationListModel(workspace, this))
    , m_view(new QListView(this))
{
    const int unit = gridUnit(this);
    auto* newButton = new QPushButton(icon(IconName::NewChat), tr("New chat"), this);
    newButton->setToolTip(tr("New chat (Ctrl+N)"));
    m_view->setObjectName(QStringLiteral("conversations"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new ConversationDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setMouseTracking(true);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setAccessibleName(tr("Conversations"));
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_search = new ConversationSearch(storage, m_view, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit, unit, unit, unit);
    column->setSpacing(unit);
    column->addWidget(newButton);
    column->addWidget(m_search, 1);
    setMinimumWidth(unit * 18);
    connect(m_search, &ConversationSearch::hitChosen, this, &ConversationPane::hitChosen);
    connect(newButton, &QPushButton::clicked, this, &ConversationPane::newChatRequested);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (app::Conversation* chosen = m_model->conversationAt(index))
            emit conversationChosen(chosen);
    });
}

void ConversationPane::addEntries(QMenu& menu, Removals& removals)
{
    QAction* rename
        = menu.addAction(tr("&Rename conversation"), this, [this] { m_view->edit(m_view->currentIndex()); });
    QAction* remove = menu.addAction(tr("&Delete conversation"), this, [this, &removals] {
        if (app::Conversation* doomed = m_model->conversationAt(m_view->currentIndex()))
            removals.removeConversation(*doomed);
    });
    addEntry(menu, tr("&Undo delete"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z), &removals, &Removals::undo);
    auto* folders = new FolderMenu(m_workspace, *m_model, *m_view);
    menu.addMenu(folders);
    m_view->addActions({ rename, folders->menuAction(), remove });
    // On a folder's heading the shown conversation is not what a person means.
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, remove,
        [this, remove](const QModelIndex& index) { remove->setEnabled(m_model->headingAt(index) == 0); });
}

void ConversationPane::setCurrent(const app::Conversation* conversation)
{
    m_view->setCurrentIndex(m_model->indexOf(conversation));
}

void ConversationPane::focusSearch() { m_search->focusLine(); }

} // namespace ui
