#include "ui/main_window.h"

#include "app/conversation/requirement_watch.h"
#include "app/conversation/starting_settings.h"
#include "ui/chat/accessible_surface.h"
#include "ui/chat/chat_actions.h"
#include "ui/chat/chat_files.h"
#include "ui/chat/chat_header.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/conversation_pane.h"
#include "ui/chat/plain_text_page.h"
#include "ui/chat/text_surface.h"
#include "ui/chat/welcome_card.h"
#include "ui/compare/compare_actions.h"
#include "ui/guide/guide_actions.h"
#include "ui/inspect/inspector_actions.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/vocabulary_control.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/help.h"
#include "ui/library/library_actions.h"
#include "ui/look_actions.h"
#include "ui/menu_entry.h"
#include "ui/notice_bar.h"
#include "ui/removals.h"
#include "ui/settings/settings_panel.h"
#include "ui/store_notes.h"
#include "ui/theme/theme.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr int kNoteMs = 5000;
}

MainWindow::MainWindow(const Parts& parts)
    : m_workspace(parts.workspace)
    , m_models(parts.models)
    , m_devices(parts.devices)
    , m_store(parts.store)
    , m_storage(parts.storage)
{
    setWindowTitle(QStringLiteral("Tokenglass"));
    setAcceptDrops(true);
    new app::StartingSettings(m_workspace, m_store, this);
    installAccessibleSurface();
    buildPanes();
    buildMenus();
    restore();
    connect(&m_workspace, &app::Workspace::modelChanged, this, &MainWindow::rememberModel);
    new StoreNotes(m_workspace, m_store, m_storage, *m_notice, this);
    newChat();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPanes()
{
    const int unit = gridUnit(this);
    m_left = new ConversationPane(m_workspace, m_storage, this);
    connect(m_left, &ConversationPane::newChatRequested, this, &MainWindow::newChat);
    connect(m_left, &ConversationPane::conversationChosen, this, &MainWindow::showConversation);
    connect(m_left, &ConversationPane::hitChosen, this, &MainWindow::showHit);

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
    m_removals = new Removals(m_workspace, *m_notice, this);
    connect(m_removals, &Removals::conversationWanted, this, &MainWindow::showConversation);
    m_chatActions = new ChatActions({ m_workspace, *m_chatPage, *m_plainTextPage, m_store }, this);
    auto* requirements = new app::RequirementWatch(m_workspace, m_storage, this);
    connect(&m_chatPage->view(), &ChatView::acceptRequested, this,
        [this, requirements](app::MessageId turn, bool accepted) {
            if (accepted)
                requirements->accept(*m_conversation, turn);
            else
                requirements->takeBack(*m_conversation, turn);
        });
    connect(m_chatPage, &ChatPage::removeSourceRequested, this,
        [this](app::SourceId id) { m_removals->removeSource(*m_conversation, id); });
    connect(&m_chatPage->view(), &ChatView::removeTurnRequested, this,
        [this](size_t turnIndex) { m_removals->removeTurn(*m_conversation, turnIndex); });
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
    centre->setMinimumWidth(unit * 48);
    setCentralWidget(m_splitter);
}

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    addEntry(*file, tr("&New chat"), QKeySequence(Qt::CTRL | Qt::Key_N), this, &MainWindow::newChat);
    addEntry(*file, tr("New pr&ivate chat"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N), this,
        &MainWindow::newPrivateChat);
    addEntry(*file, tr("New &plain-text page"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), this,
        &MainWindow::newPage);
    addEntry(*file, tr("&Open a GGUF file…"), QKeySequence(Qt::CTRL | Qt::Key_O), this, &MainWindow::openFile);
    file->addSeparator();
    m_left->addEntries(*file, *m_removals);
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
    QAction* keys = help->addAction(tr("&Keys"), this, [this] { showKeys(*menuBar(), this); });
    keys->setShortcut(QKeySequence(Qt::Key_F1));
    m_guide = new GuideActions(m_workspace, help, this);
    help->addAction(tr("&About Tokenglass"), this, [this] { showAbout(this); });
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
    m_chatActions->addAnswerEntries(*chat);
    chat->addSeparator();
    m_compare = new CompareActions({ m_workspace, m_chatPage->view(), m_store, m_models, this }, chat);
    connect(m_compare, &CompareActions::openRequested, this, &MainWindow::openAnswer);
    connect(m_compare, &CompareActions::noted, this,
        [this](const QString& words) { m_notice->show(NoticeBar::Kind::Note, words, {}, {}, kNoteMs); });
    chat->addSeparator();
    m_chatActions->addFindEntries(*chat, m_storage != nullptr);
    connect(m_chatActions, &ChatActions::searchRequested, this, [this] {
        m_showList->setChecked(true);
        m_left->focusSearch();
    });
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
    addEntry(*view, tr("&Next pane"), QKeySequence(Qt::Key_F6), this, &MainWindow::nextPane);
    view->addSeparator();
    m_look = new LookActions(m_store, *m_pages, *view, this);
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
    m_chatActions->setConversation(conversation);
    m_inspector->setConversation(conversation);
    m_inspectorActions->setConversation(conversation);
    m_settings->setConversation(conversation);
    m_left->setCurrent(conversation);
}

void MainWindow::newChat()
{
    // An empty chat is reused: no heap of chats that were never begun.
    for (const auto& existing : m_workspace.conversations())
        if (existing->kind() == app::ConversationKind::Chat && existing->isEmpty()
            && existing->typedText().isEmpty()) {
            showConversation(existing.get());
            m_chatActions->focusInput();
            return;
        }
    showConversation(&m_workspace.addConversation(app::ConversationKind::Chat));
    m_chatActions->focusInput();
}

void MainWindow::newPage()
{
    showConversation(&m_workspace.addConversation(app::ConversationKind::PlainText));
    m_chatActions->focusInput();
}

void MainWindow::newPrivateChat()
{
    showConversation(&m_workspace.addConversation(app::ConversationKind::Chat, true));
    m_chatActions->focusInput();
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

void MainWindow::planRun()
{
    if (m_conversation)
        m_library->showPlan(
            *m_conversation, { m_chatPage->input().text(), m_chatPage->input().opening(), {} });
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

void MainWindow::nextPane()
{
    QWidget* centre = m_pages->currentWidget() == m_plainTextPage
        ? static_cast<QWidget*>(&m_plainTextPage->edit())
        : m_chatPage->input().edit();
    const std::pair<QWidget*, QWidget*> panes[] = { { m_left, &m_left->list() }, { m_pages, centre },
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
}

void MainWindow::remember()
{
    m_store.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_store.setValue(QStringLiteral("window/panes"), m_splitter->saveState());
    m_store.setValue(QStringLiteral("window/list"), m_showList->isChecked());
    m_store.setValue(QStringLiteral("window/settings"), m_showSettings->isChecked());
    m_look->remember();
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
