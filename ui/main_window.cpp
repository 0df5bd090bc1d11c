#include "ui/main_window.h"

#include "app/conversation/requirement_watch.h"
#include "app/conversation/starting_settings.h"
#include "ui/chat/accessible_surface.h"
#include "ui/chat/chat_files.h"
#include "ui/chat/chat_header.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/conversation_list.h"
#include "ui/chat/folder_menu.h"
#include "ui/chat/plain_text_page.h"
#include "ui/chat/text_surface.h"
#include "ui/chat/welcome_card.h"
#include "ui/compare/compare_actions.h"
#include "ui/find/conversation_search.h"
#include "ui/find/find_bar.h"
#include "ui/guide/guide_actions.h"
#include "ui/inspect/inspector_actions.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/vocabulary_control.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/library/library_actions.h"
#include "ui/notice_bar.h"
#include "ui/settings/settings_panel.h"
#include "ui/theme/icon.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr double kTextScaleStep = 1.1;
    constexpr int kNoteMs = 5000;
}

MainWindow::MainWindow(const Parts& parts)
    : m_workspace(parts.workspace)
    , m_models(parts.models)
    , m_devices(parts.devices)
    , m_store(parts.store)
    , m_storage(parts.storage)
    , m_systemPalette(QApplication::palette())
    , m_baseFont(font())
{
    setWindowTitle(QStringLiteral("Tokenglass"));
    setAcceptDrops(true);
    new app::StartingSettings(m_workspace, m_store, this);
    installAccessibleSurface();
    buildPanes();
    buildMenus();
    restore();
    connect(&m_workspace, &app::Workspace::modelChanged, this, &MainWindow::rememberModel);
    connect(&m_workspace, &app::Workspace::storeOpened, this, &MainWindow::noteStore);
    if (m_storage)
        connect(m_storage, &app::Storage::troubleChanged, this, &MainWindow::noteTrouble);
    newChat();
    noteSettings();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPanes()
{
    const int unit = gridUnit(this);
    m_list = new ConversationListModel(m_workspace, this);
    m_left = new QWidget(this);
    auto* leftColumn = new QVBoxLayout(m_left);
    leftColumn->setContentsMargins(unit, unit, unit, unit);
    leftColumn->setSpacing(unit);
    auto* newButton = new QPushButton(icon(IconName::NewChat), tr("New chat"), m_left);
    newButton->setToolTip(tr("New chat (Ctrl+N)"));
    m_listView = new QListView(m_left);
    m_listView->setObjectName(QStringLiteral("conversations"));
    m_listView->setModel(m_list);
    m_listView->setItemDelegate(new ConversationDelegate(m_listView));
    m_listView->setFrameShape(QFrame::NoFrame);
    m_listView->setUniformItemSizes(true);
    m_listView->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_listView->setResizeMode(QListView::Adjust);
    m_listView->setMouseTracking(true);
    m_listView->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_listView->setAccessibleName(tr("Conversations"));
    m_listView->viewport()->setAutoFillBackground(false);
    m_listView->setContextMenuPolicy(Qt::ActionsContextMenu);
    leftColumn->addWidget(newButton);
    m_search = new ConversationSearch(m_storage, m_listView, m_left);
    leftColumn->addWidget(m_search, 1);
    connect(m_search, &ConversationSearch::hitChosen, this, &MainWindow::showHit);
    connect(newButton, &QPushButton::clicked, this, &MainWindow::newChat);
    connect(m_listView->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& index) {
            if (app::Conversation* chosen = m_list->conversationAt(index))
                showConversation(chosen);
        });

    auto* centre = new QWidget(this);
    auto* centreColumn = new QVBoxLayout(centre);
    centreColumn->setContentsMargins(0, 0, 0, 0);
    centreColumn->setSpacing(0);
    m_header = new ChatHeader(m_workspace, centre);
    m_pages = new QStackedWidget(centre);
    m_chatPage = new ChatPage(m_workspace, m_pages);
    m_header->follow(m_chatPage->gauge());
    m_plainTextPage = new PlainTextPage(m_workspace, m_pages);
    m_pages->addWidget(m_chatPage);
    m_pages->addWidget(m_plainTextPage);
    m_notice = new NoticeBar(centre);
    centreColumn->addWidget(m_header);
    centreColumn->addWidget(m_notice);
    centreColumn->addWidget(m_pages, 1);
    connect(m_notice, &NoticeBar::actionTriggered, this, &MainWindow::undoRemoval);
    auto* requirements = new app::RequirementWatch(m_workspace, m_storage, this);
    connect(&m_chatPage->view(), &ChatView::acceptRequested, this,
        [this, requirements](app::MessageId turn, bool accepted) {
            if (accepted)
                requirements->accept(*m_conversation, turn);
            else
                requirements->takeBack(*m_conversation, turn);
        });
    connect(m_chatPage, &ChatPage::removeSourceRequested, this, &MainWindow::removeSource);
    connect(&m_chatPage->view(), &ChatView::removeTurnRequested, this, &MainWindow::removeTurn);
    connect(
        &m_chatPage->view(), &ChatView::longerContextRequested, this, [this](int contextLength) {
            m_settings->setContextLength(contextLength);
            openModel(QString::fromStdString(m_workspace.loadRequest().path));
        });
    auto* welcome = new WelcomeCard(m_workspace, m_models, m_devices);
    m_chatPage->view().setEmptyCard(welcome);
    connect(welcome, &WelcomeCard::modelChosen, this, &MainWindow::openModel);
    connect(welcome, &WelcomeCard::openRequested, this, &MainWindow::openFile);
    connect(welcome, &WelcomeCard::guideRequested, this, [this] { m_guide->showGuide(); });
    connect(&m_chatPage->view(), &ChatView::loadModelRequested, this, &MainWindow::openFile);
    connect(&m_chatPage->view(), &ChatView::chooseFormatRequested, this, [this] {
        m_showSettings->setChecked(true);
        m_settings->focusFamily();
    });
    connect(m_plainTextPage, &PlainTextPage::openModelRequested, this, &MainWindow::openFile);

    m_settings = new SettingsPanel({ m_workspace, m_models, m_devices, m_store }, this);
    connect(m_settings, &SettingsPanel::modelChosen, this, &MainWindow::openModel);
    connect(m_settings, &SettingsPanel::openRequested, this, &MainWindow::openFile);

    m_inspectorPane = new InspectorPane(this);
    m_inspector = new InspectorControl(
        { m_workspace, m_chatPage->view(), *m_inspectorPane, m_store }, this);
    connect(m_plainTextPage, &PlainTextPage::inspectRequested, m_inspector, &InspectorControl::inspect);
    connect(m_inspector, &InspectorControl::tintsChanged, m_plainTextPage, &PlainTextPage::setTints);
    m_inspectorActions = new InspectorActions(m_workspace, *m_inspector, *m_inspectorPane, this);
    m_vocabulary = new VocabularyControl(m_workspace, *m_inspectorPane, this);

    m_splitter = new QSplitter(this);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(centre);
    m_splitter->addWidget(m_inspectorPane);
    m_splitter->addWidget(m_settings);
    m_splitter->setStretchFactor(1, 1);
    m_left->setMinimumWidth(unit * 18);
    centre->setMinimumWidth(unit * 48);
    setCentralWidget(m_splitter);
}

QAction* MainWindow::addAction(
    QMenu* menu, const QString& text, const QKeySequence& keys, void (MainWindow::*slot)())
{
    QAction* action = menu->addAction(text, this, slot);
    action->setShortcut(keys);
    return action;
}

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    addAction(file, tr("&New chat"), QKeySequence(Qt::CTRL | Qt::Key_N), &MainWindow::newChat);
    addAction(file, tr("New pr&ivate chat"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
        &MainWindow::newPrivateChat);
    addAction(file, tr("New &plain-text page"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
        &MainWindow::newPage);
    addAction(
        file, tr("&Open a GGUF file…"), QKeySequence(Qt::CTRL | Qt::Key_O), &MainWindow::openFile);
    file->addSeparator();
    QAction* rename = file->addAction(
        tr("&Rename conversation"), this, [this] { m_listView->edit(m_listView->currentIndex()); });
    QAction* remove
        = addAction(file, tr("&Delete conversation"), {}, &MainWindow::deleteConversation);
    addAction(file, tr("&Undo delete"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z),
        &MainWindow::undoRemoval);
    auto* folders = new FolderMenu(m_workspace, *m_list, *m_listView);
    file->addMenu(folders);
    m_listView->addActions({ rename, folders->menuAction(), remove });
    // On a folder's heading the shown conversation is not what a person means.
    connect(m_listView->selectionModel(), &QItemSelectionModel::currentChanged, remove,
        [this, remove](
            const QModelIndex& index) { remove->setEnabled(m_list->headingAt(index) == 0); });
    file->addSeparator();
    buildFileActions(file);
    file->addSeparator();
    m_library = new LibraryActions({ m_workspace, m_storage, this }, file);
    connect(m_library, &LibraryActions::planRequested, this, &MainWindow::planRun);
    connect(m_library, &LibraryActions::planStarted, m_chatPage, &ChatPage::noteSent);
    connect(m_library, &LibraryActions::answerChosen, this, &MainWindow::showHit);
    connect(m_library, &LibraryActions::failed, this,
        [this](const QString& words) { m_notice->show(NoticeBar::Kind::Warning, words); });
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));
    buildChatMenu();
    buildViewMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    addAction(help, tr("&Keys"), QKeySequence(Qt::Key_F1), &MainWindow::showKeys);
    m_guide = new GuideActions(m_workspace, help, this);
    addAction(help, tr("&About Tokenglass"), {}, &MainWindow::showAbout);
}

void MainWindow::showFirstStart()
{
    const QString key = QStringLiteral("guide/shown");
    if (m_store.value(key).toBool())
        return;
    m_store.setValue(key, true);
    m_guide->showGuide();
}

void MainWindow::buildChatMenu()
{
    QMenu* chat = menuBar()->addMenu(tr("&Chat"));
    QAction* goOn = addAction(
        chat, tr("&Continue the answer, or write on the page"), {}, &MainWindow::continueAnswer);
    goOn->setShortcuts(
        { QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter) });
    addAction(chat, tr("S&top"), QKeySequence(Qt::Key_Escape), &MainWindow::stop);
    addAction(chat, tr("&Regenerate"), QKeySequence(Qt::CTRL | Qt::Key_R), &MainWindow::regenerate);
    addAction(chat, tr("Add so&urce text…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U),
        &MainWindow::addSource);
    addAction(chat, tr("&Edit your last message"), QKeySequence(Qt::CTRL | Qt::Key_E),
        &MainWindow::editLastMessage);
    addAction(chat, tr("Edit the last &answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        &MainWindow::editLastAnswer);
    chat->addSeparator();
    addAction(chat, tr("&Previous answer"), QKeySequence(Qt::ALT | Qt::Key_Left),
        &MainWindow::showPreviousAnswer);
    addAction(chat, tr("&Next answer"), QKeySequence(Qt::ALT | Qt::Key_Right),
        &MainWindow::showNextAnswer);
    addAction(chat, tr("Cop&y last answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        &MainWindow::copyAnswer);
    QAction* copiesVerdict = chat->addAction(tr("Copy &with verdict line"));
    copiesVerdict->setCheckable(true);
    copiesVerdict->setToolTip(tr("A copied answer ends with a line that says how it ended"));
    connect(copiesVerdict, &QAction::toggled, this, &MainWindow::setCopiesVerdict);
    copiesVerdict->setChecked(
        m_store.value(QStringLiteral("window/copyVerdictLine"), true).toBool());
    setCopiesVerdict(copiesVerdict->isChecked());
    chat->addSeparator();
    buildCompareActions(chat);
    chat->addSeparator();
    addAction(chat, tr("&Begin the answer…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B),
        &MainWindow::beginAnswer);
    addAction(chat, tr("&Find in this chat"), QKeySequence(Qt::CTRL | Qt::Key_F),
        &MainWindow::findInChat);
    addAction(chat, tr("Find ne&xt"), QKeySequence(Qt::Key_F3), &MainWindow::findNext);
    addAction(chat, tr("Find pre&vious"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        &MainWindow::findPrevious);
    addAction(chat, tr("Search in all conversations"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), &MainWindow::findInAll)
        ->setEnabled(m_storage);
    chat->addSeparator();
    addAction(
        chat, tr("&Message box"), QKeySequence(Qt::CTRL | Qt::Key_L), &MainWindow::focusInput);
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    m_showList = view->addAction(tr("&Conversations"));
    m_showList->setCheckable(true);
    m_showList->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_B));
    connect(m_showList, &QAction::toggled, m_left, &QWidget::setVisible);
    m_showSettings = view->addAction(tr("&Settings"));
    m_showSettings->setCheckable(true);
    m_showSettings->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Comma));
    connect(m_showSettings, &QAction::toggled, m_settings, &QWidget::setVisible);
    view->addAction(m_inspector->action());
    addAction(view, tr("&Next pane"), QKeySequence(Qt::Key_F6), &MainWindow::nextPane);
    view->addSeparator();
    QAction* larger = addAction(view, tr("&Larger text"), {}, &MainWindow::zoomIn);
    larger->setShortcuts(
        { QKeySequence(Qt::CTRL | Qt::Key_Equal), QKeySequence(Qt::CTRL | Qt::Key_Plus) });
    addAction(
        view, tr("S&maller text"), QKeySequence(Qt::CTRL | Qt::Key_Minus), &MainWindow::zoomOut);
    addAction(
        view, tr("N&ormal text size"), QKeySequence(Qt::CTRL | Qt::Key_0), &MainWindow::resetZoom);
    view->addSeparator();
    QMenu* appearance = view->addMenu(tr("&Appearance"));
    auto* group = new QActionGroup(this);
    const std::pair<Appearance, QString> choices[] = { { Appearance::System, tr("As the system") },
        { Appearance::Light, tr("Light") }, { Appearance::Dark, tr("Dark") } };
    for (const auto& [value, text] : choices) {
        QAction* action
            = appearance->addAction(text, this, [this, chosen = value] { setAppearance(chosen); });
        action->setCheckable(true);
        action->setData(int(value));
        group->addAction(action);
        action->setChecked(
            value == Appearance(m_store.value(QStringLiteral("window/appearance"), 0).toInt()));
    }
}

void MainWindow::showConversation(app::Conversation* conversation)
{
    if (conversation == m_conversation)
        return;
    m_conversation = conversation;
    if (conversation)
        m_workspace.openConversation(*conversation);
    const bool isPage = conversation && conversation->kind() == app::ConversationKind::PlainText;
    m_chatPage->setConversation(isPage ? nullptr : conversation);
    m_plainTextPage->setConversation(isPage ? conversation : nullptr);
    m_pages->setCurrentIndex(isPage ? 1 : 0);
    m_header->setConversation(conversation);
    m_inspector->setConversation(conversation);
    m_inspectorActions->setConversation(conversation);
    m_settings->setConversation(conversation);
    m_listView->setCurrentIndex(m_list->indexOf(conversation));
}

void MainWindow::newChat()
{
    // An empty chat is reused: no heap of chats that were never begun.
    for (const auto& existing : m_workspace.conversations())
        if (existing->kind() == app::ConversationKind::Chat && existing->isEmpty()
            && existing->typedText().isEmpty()) {
            showConversation(existing.get());
            focusInput();
            return;
        }
    showConversation(&m_workspace.addConversation(app::ConversationKind::Chat));
    focusInput();
}

void MainWindow::newPage()
{
    showConversation(&m_workspace.addConversation(app::ConversationKind::PlainText));
    focusInput();
}

void MainWindow::newPrivateChat()
{
    showConversation(&m_workspace.addConversation(app::ConversationKind::Chat, true));
    focusInput();
}

void MainWindow::deleteConversation()
{
    if (!m_conversation)
        return;
    app::Conversation* doomed = m_conversation;
    app::Conversation* next = nullptr;
    for (const auto& other : m_workspace.conversations())
        if (other.get() != doomed)
            next = other.get();
    if (next)
        showConversation(next);
    else
        showConversation(&m_workspace.addConversation(app::ConversationKind::Chat));
    const QString title = doomed->title().isEmpty() ? tr("New chat") : doomed->title();
    const bool wasEmpty = doomed->isEmpty();
    m_workspace.removeConversation(*doomed);
    if (wasEmpty)
        return;
    m_undo = [this, removed = QPointer(doomed)] {
        if (!removed)
            return;
        m_workspace.restoreConversation(*removed);
        showConversation(removed);
    };
    m_notice->show(NoticeBar::Kind::Note, tr("“%1” was deleted.").arg(title),
        tr("It is gone for good when this note goes."), tr("Undo"), app::Workspace::kUndoMs);
}

void MainWindow::removeTurn(size_t turnIndex)
{
    app::Conversation* conversation = m_conversation;
    if (!conversation || turnIndex >= conversation->turnCount())
        return;
    app::Turn& turn = *conversation->turns()[turnIndex];
    const app::MessageId id = turn.id;
    m_workspace.removeTurn(*conversation, turn);
    m_undo = [this, id, within = QPointer(conversation)] {
        app::Turn* removed = within ? within->findTurn(id) : nullptr;
        if (!removed)
            return;
        m_workspace.restoreTurn(*within, *removed);
        showConversation(within);
    };
    m_notice->show(NoticeBar::Kind::Note, tr("The message and what followed it were deleted."),
        tr("They are gone for good when this note goes."), tr("Undo"), app::Workspace::kUndoMs);
}

void MainWindow::addSource()
{
    if (m_pages->currentWidget() == m_chatPage)
        m_chatPage->addSource();
}

void MainWindow::removeSource(app::SourceId id)
{
    const app::SourceText* source = m_conversation ? m_conversation->findSource(id) : nullptr;
    if (!source)
        return;
    const QString name = source->name;
    m_workspace.removeSource(*m_conversation, id);
    m_undo = [this, id, within = QPointer(m_conversation)] {
        if (!within)
            return;
        m_workspace.restoreSource(*within, id);
        showConversation(within);
    };
    m_notice->show(NoticeBar::Kind::Note, tr("The source text “%1” was removed.").arg(name),
        tr("It is gone for good when this note goes, but for the records of answers that were "
           "given it."),
        tr("Undo"), app::Workspace::kUndoMs);
}

void MainWindow::undoRemoval()
{
    if (const auto undo = std::exchange(m_undo, {}))
        undo();
    m_notice->dismiss();
}

void MainWindow::noteStore(const app::StoreOpening& opening, int interruptedCount)
{
    // Read-only for another reason: noteTrouble() shows that.
    if (opening.isOfNewerVersion)
        m_notice->show(NoticeBar::Kind::Warning,
            tr("Your conversations were written by a newer version of Tokenglass. They can be read "
               "here; what you do now is not saved."));
    else if (!opening.setAside.isEmpty())
        m_notice->show(NoticeBar::Kind::Warning,
            tr("The file with your conversations was damaged. %n conversation(s) could be saved "
               "from it; the damaged file was kept as %1.",
                nullptr, opening.salvagedConversationCount)
                .arg(QFileInfo(opening.setAside).fileName()),
            opening.setAside);
    else if (interruptedCount > 0)
        m_notice->show(NoticeBar::Kind::Note,
            interruptedCount == 1
                ? tr("An answer was being written when the program ended. What there was of it is "
                     "kept, as partial; it can be continued.")
                : tr("%1 answers were being written when the program ended. What there was of them "
                     "is kept, as partial; they can be continued.")
                      .arg(interruptedCount));
}

void MainWindow::noteTrouble()
{
    if (const auto& trouble = m_storage->trouble())
        m_notice->show(NoticeBar::Kind::Warning,
            trouble->title + QStringLiteral(". ") + trouble->message, trouble->details);
    else
        m_notice->show(
            NoticeBar::Kind::Note, tr("Conversations are being saved again."), {}, {}, 5000);
}

void MainWindow::noteSettings()
{
    connect(&m_store, &app::SettingsFile::writeFailed, this,
        [this](const QString& message) { m_notice->show(NoticeBar::Kind::Warning, message); });
    if (!m_store.notes().isEmpty())
        m_notice->showBeneath(
            NoticeBar::Kind::Warning, m_store.notes().join(QLatin1Char('\n')), m_store.path());
}

void MainWindow::openFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a GGUF file"),
        QFileInfo(QString::fromStdString(m_workspace.loadRequest().path)).path(),
        tr("GGUF models (*.gguf);;All files (*)"));
    if (!path.isEmpty())
        openModel(path);
}

void MainWindow::openModel(const QString& path)
{
    engine::ModelLoadRequest request;
    request.path = path.toStdString();
    request.deviceUuid = m_settings->deviceUuid().toStdString();
    request.contextLength = m_settings->contextLength();
    m_workspace.loadModel(std::move(request));
}

QString MainWindow::lastModel() const
{
    const QString path = m_store.value(QStringLiteral("model/path")).toString();
    return QFileInfo(path).isReadable() ? path : QString();
}

void MainWindow::rememberModel()
{
    // What is loaded for a comparison only is not the person's choice.
    if (m_workspace.modelState() != app::ModelState::Ready || m_workspace.isModelHeld())
        return;
    m_store.setValue(
        QStringLiteral("model/path"), QString::fromStdString(m_workspace.loadRequest().path));
    m_store.setValue(QStringLiteral("model/device"),
        QString::fromStdString(m_workspace.loadRequest().deviceUuid));
}

void MainWindow::findInAll()
{
    m_showList->setChecked(true);
    m_search->focusLine();
}

void MainWindow::findInChat()
{
    if (m_pages->currentWidget() == m_chatPage)
        m_chatPage->findBar().open();
}

void MainWindow::findNext()
{
    if (m_pages->currentWidget() == m_chatPage)
        m_chatPage->findBar().next();
}

void MainWindow::findPrevious()
{
    if (m_pages->currentWidget() == m_chatPage)
        m_chatPage->findBar().previous();
}

void MainWindow::showHit(const app::SearchHit& hit)
{
    app::Conversation* found = m_workspace.findConversation(hit.conversation);
    if (!found) {
        m_notice->show(NoticeBar::Kind::Note, tr("“%1” was deleted.").arg(hit.title));
        return;
    }
    showConversation(found);
    const QString word = hit.marks.empty()
        ? QString()
        : hit.excerpt.mid(hit.marks.front().first, hit.marks.front().second);
    m_chatPage->showMessage(hit.message, word);
}

void MainWindow::stop()
{
    if (m_chatPage->isVisible() && m_chatPage->findBar().isVisible())
        return m_chatPage->findBar().close();
    if (m_conversation && m_conversation->activeDraft())
        m_workspace.stop(*m_conversation);
    else
        m_workspace.cancelLoad();
}

void MainWindow::regenerate()
{
    if (m_conversation && m_conversation->kind() == app::ConversationKind::Chat)
        m_workspace.regenerate(*m_conversation);
}

void MainWindow::continueAnswer()
{
    if (m_pages->currentWidget() == m_plainTextPage)
        m_plainTextPage->writeOn();
    else if (m_conversation)
        m_workspace.continueAnswer(*m_conversation);
}

void MainWindow::planRun()
{
    if (m_conversation)
        m_library->showPlan(
            *m_conversation, { m_chatPage->input().text(), m_chatPage->input().opening(), {} });
}

void MainWindow::beginAnswer()
{
    if (m_conversation && m_conversation->kind() == app::ConversationKind::Chat)
        m_chatPage->input().showOpening();
}

void MainWindow::editLastMessage()
{
    if (!m_conversation || m_conversation->kind() != app::ConversationKind::Chat)
        return;
    for (size_t i = m_conversation->turnCount(); i-- > 0;)
        if (!m_conversation->turns()[i]->answer)
            return m_chatPage->view().editTurn(i);
}

void MainWindow::editLastAnswer()
{
    if (m_conversation && m_conversation->kind() == app::ConversationKind::Chat
        && m_conversation->lastAnswerTurn())
        m_chatPage->view().editTurn(m_conversation->turnCount() - 1);
}

void MainWindow::copyAnswer()
{
    if (const app::Answer* answer = m_conversation ? m_conversation->lastAnswer() : nullptr)
        m_chatPage->view().copyAnswer(*answer);
}

void MainWindow::setCopiesVerdict(bool copies)
{
    m_chatPage->view().setCopiesVerdict(copies);
    m_plainTextPage->setCopiesVerdict(copies);
    m_store.setValue(QStringLiteral("window/copyVerdictLine"), copies);
}

void MainWindow::buildFileActions(QMenu* file)
{
    m_files = new ChatFiles(m_workspace, *this);
    file->addAction(tr("&Export…"), this, [this] { m_files->exportConversation(m_conversation); });
    file->addAction(tr("Impor&t…"), this, [this] { m_files->importConversation(); });
    connect(m_files, &ChatFiles::imported, this, &MainWindow::showConversation);
    connect(m_files, &ChatFiles::done, this, [this](const QString& words) {
        m_notice->show(NoticeBar::Kind::Note, words, {}, {}, kNoteMs);
    });
    connect(m_files, &ChatFiles::failed, this,
        [this](const QString& words) { m_notice->show(NoticeBar::Kind::Warning, words); });
}

void MainWindow::buildCompareActions(QMenu* chat)
{
    m_compare = new CompareActions({ m_workspace, m_chatPage->view(), m_store, m_models, this }, chat);
    connect(m_compare, &CompareActions::openRequested, this, &MainWindow::openAnswer);
    connect(m_compare, &CompareActions::noted, this,
        [this](const QString& words) { m_notice->show(NoticeBar::Kind::Note, words, {}, {}, kNoteMs); });
}

/// Shows it, on whichever branch it is, with its tokens.
void MainWindow::openAnswer(app::Conversation* conversation, app::MessageId answer)
{
    showConversation(conversation);
    app::Turn* turn = conversation->findTurn(answer);
    if (!turn)
        return;
    conversation->showTurn(*turn);
    if (const auto index = conversation->tree().indexOf(*turn))
        m_inspector->inspect(*index);
    activateWindow();
}

void MainWindow::showPreviousAnswer() { showSibling(-1); }
void MainWindow::showNextAnswer() { showSibling(1); }

void MainWindow::showSibling(int step)
{
    if (m_conversation && m_conversation->turnCount() > 0)
        m_conversation->showSibling(m_conversation->turnCount() - 1, step);
}

void MainWindow::focusInput()
{
    if (m_pages->currentWidget() == m_plainTextPage)
        m_plainTextPage->edit().setFocus(Qt::ShortcutFocusReason);
    else
        m_chatPage->input().focusEdit();
}

void MainWindow::zoomIn() { setTextScale(m_textScale * kTextScaleStep); }
void MainWindow::zoomOut() { setTextScale(m_textScale / kTextScaleStep); }
void MainWindow::resetZoom() { setTextScale(1); }

void MainWindow::setTextScale(double scale)
{
    m_textScale = std::clamp(scale, 0.5, 3.0);
    QFont scaled = m_baseFont;
    if (scaled.pointSizeF() > 0)
        scaled.setPointSizeF(scaled.pointSizeF() * m_textScale);
    m_pages->setFont(scaled);
}

void MainWindow::setAppearance(Appearance appearance)
{
    m_appearance = appearance;
    m_store.setValue(QStringLiteral("window/appearance"), int(appearance));
    QApplication::setPalette(paletteFor(appearance, m_systemPalette));
}

void MainWindow::nextPane()
{
    QWidget* centre = m_pages->currentWidget() == m_plainTextPage
        ? static_cast<QWidget*>(&m_plainTextPage->edit())
        : m_chatPage->input().edit();
    const std::pair<QWidget*, QWidget*> panes[] = { { m_left, m_listView }, { m_pages, centre },
        { m_inspectorPane, &m_inspectorPane->tokens().strip() }, { m_settings, m_settings } };
    const QWidget* focused = focusWidget();
    size_t current = std::size(panes) - 1;
    for (size_t i = 0; i < std::size(panes); ++i)
        if (focused && (panes[i].first == focused || panes[i].first->isAncestorOf(focused)))
            current = i;
    for (size_t step = 1; step <= std::size(panes); ++step) {
        const auto& [pane, target] = panes[(current + step) % std::size(panes)];
        if (!pane->isVisible())
            continue;
        target->setFocus(Qt::ShortcutFocusReason);
        if (pane == m_settings)
            focusNextChild();
        return;
    }
}

void MainWindow::showKeys()
{
    QStringList lines;
    for (const QAction* menu : menuBar()->actions())
        for (const QAction* action : menu->menu()->actions())
            if (!action->shortcut().isEmpty())
                lines.append(action->shortcut().toString(QKeySequence::NativeText)
                    + QLatin1Char('\t') + action->text().remove(QLatin1Char('&')));
    lines.append(tr("Enter\tSend"));
    lines.append(tr("Shift+Enter\tNew line"));
    QMessageBox box(
        QMessageBox::NoIcon, tr("Keys"), lines.join(QLatin1Char('\n')), QMessageBox::Close, this);
    box.setTextFormat(Qt::PlainText);
    box.exec();
}

void MainWindow::showAbout()
{
    QMessageBox box(QMessageBox::NoIcon, tr("About Tokenglass"),
        tr("Tokenglass %1\nA chat window for local language models that shows every token and why "
           "it stopped.\nMIT licence.")
            .arg(QCoreApplication::applicationVersion()),
        QMessageBox::Close, this);
    box.setTextFormat(Qt::PlainText);
    box.exec();
}

void MainWindow::restore()
{
    const int unit = gridUnit(this);
    resize(unit * 184, unit * 112);
    restoreGeometry(m_store.value(QStringLiteral("window/geometry")).toByteArray());
    if (!m_splitter->restoreState(m_store.value(QStringLiteral("window/panes")).toByteArray()))
        m_splitter->setSizes({ unit * 32, unit * 112, unit * 44, unit * 40 });
    m_splitter->setHandleWidth(1);
    m_showList->setChecked(m_store.value(QStringLiteral("window/list"), true).toBool());
    m_showSettings->setChecked(m_store.value(QStringLiteral("window/settings"), true).toBool());
    m_left->setVisible(m_showList->isChecked());
    m_settings->setVisible(m_showSettings->isChecked());
    m_settings->setDeviceUuid(m_store.value(QStringLiteral("model/device")).toString());
    setTextScale(m_store.value(QStringLiteral("window/textScale"), 1.0).toDouble());
    const int appearance = m_store.value(QStringLiteral("window/appearance"), 0).toInt();
    if (appearance == int(Appearance::Light) || appearance == int(Appearance::Dark))
        setAppearance(Appearance(appearance));
}

void MainWindow::remember()
{
    m_store.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_store.setValue(QStringLiteral("window/panes"), m_splitter->saveState());
    m_store.setValue(QStringLiteral("window/list"), m_showList->isChecked());
    m_store.setValue(QStringLiteral("window/settings"), m_showSettings->isChecked());
    m_store.setValue(QStringLiteral("window/textScale"), m_textScale);
    m_store.writeNow();
}

void MainWindow::closeWithoutAsking()
{
    m_asksBeforeClosing = false;
    close();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_asksBeforeClosing && m_workspace.hasActiveRuns()) {
        QMessageBox box(QMessageBox::Question, tr("An answer is being written"),
            tr("Stop it and quit? What there is of it is kept, as partial."), QMessageBox::Cancel,
            this);
        box.setTextFormat(Qt::PlainText);
        QPushButton* quit = box.addButton(tr("Stop and quit"), QMessageBox::AcceptRole);
        box.exec();
        if (box.clickedButton() != quit) {
            event->ignore();
            return;
        }
    }
    remember();
    m_workspace.close();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()
            && url.toLocalFile().endsWith(QStringLiteral(".gguf"), Qt::CaseInsensitive))
            event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            return openModel(url.toLocalFile());
}

} // namespace ui
