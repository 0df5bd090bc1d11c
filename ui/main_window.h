#pragma once

#include "app/conversation/workspace.h"
#include "app/models/device_finder.h"
#include "app/models/model_finder.h"
#include "app/settings/settings_file.h"
#include "app/storage/storage.h"

#include <QMainWindow>

class QMenu;
class QSplitter;
class QStackedWidget;

namespace ui {

class ChatActions;
class ChatFiles;
class ChatHeader;
class ChatPage;
class CompareActions;
class ConversationPane;
class GuideActions;
class InspectorActions;
class InspectorControl;
class InspectorPane;
class LibraryActions;
class LookActions;
class NoticeBar;
class PlainTextPage;
class Removals;
class SettingsPanel;
class VocabularyControl;

/// The window: conversations left, the shown one in the middle, inspector and settings right.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        app::ModelFinder& models;
        app::DeviceFinder& devices;
        app::SettingsFile& store;
        app::Storage* storage = nullptr; ///< null: conversations end with the program
    };
    explicit MainWindow(const Parts& parts);
    ~MainWindow() override;

    /// Loads with the device and context chosen on the right.
    void openModel(const QString& path);
    /// The model used last, "" when there is none or its file is gone.
    QString lastModel() const;
    /// For when the system ends the session: stops what runs, keeps everything.
    void closeWithoutAsking();
    void showConversation(app::Conversation* conversation);
    app::Conversation* conversation() const { return m_conversation; }
    ChatPage& chatPage() { return *m_chatPage; }
    PlainTextPage& plainTextPage() { return *m_plainTextPage; }
    ChatFiles& files() { return *m_files; }
    SettingsPanel& settingsPanel() { return *m_settings; }
    InspectorPane& inspectorPane() { return *m_inspectorPane; }
    InspectorControl& inspector() { return *m_inspector; }
    InspectorActions& inspectorActions() { return *m_inspectorActions; }
    VocabularyControl& vocabulary() { return *m_vocabulary; }
    GuideActions& guide() { return *m_guide; }
    LibraryActions& library() { return *m_library; }
    CompareActions& compare() { return *m_compare; }
    /// Opens the guided trace, once: when the program was never started before.
    void showFirstStart();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildPanes();
    void buildMenus();
    void buildChatMenu();
    void buildViewMenu();
    void newChat();
    void newPrivateChat();
    void newPage();
    void openFile();
    void planRun();
    void showHit(const app::SearchHit& hit);
    void buildFileActions(QMenu* file);
    void openAnswer(app::Conversation* conversation, app::MessageId answer);
    void nextPane();
    void restore();
    void remember();
    void rememberModel();

    app::Workspace& m_workspace;
    app::ModelFinder& m_models;
    app::DeviceFinder& m_devices;
    app::SettingsFile& m_store;
    app::Storage* m_storage;
    app::Conversation* m_conversation = nullptr;
    GuideActions* m_guide = nullptr;
    LibraryActions* m_library = nullptr;
    CompareActions* m_compare = nullptr;
    ChatFiles* m_files = nullptr;
    ConversationPane* m_left = nullptr;
    QSplitter* m_splitter = nullptr;
    ChatHeader* m_header = nullptr;
    NoticeBar* m_notice = nullptr;
    Removals* m_removals = nullptr;
    ChatActions* m_chatActions = nullptr;
    LookActions* m_look = nullptr;
    QStackedWidget* m_pages = nullptr;
    ChatPage* m_chatPage = nullptr;
    PlainTextPage* m_plainTextPage = nullptr;
    InspectorPane* m_inspectorPane = nullptr;
    InspectorControl* m_inspector = nullptr;
    InspectorActions* m_inspectorActions = nullptr;
    VocabularyControl* m_vocabulary = nullptr;
    SettingsPanel* m_settings = nullptr;
    QAction* m_showSettings = nullptr;
    QAction* m_showList = nullptr;
    bool m_asksBeforeClosing = true;
};

} // namespace ui
