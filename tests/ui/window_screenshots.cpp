#include "app/cli/engine_factory.h"
#include "app/models/fetch_tool.h"
#include "app/settings/places.h"
#include "app/storage/storage.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/main_window.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTabWidget>
#include <QTest>

#include <iostream>

namespace {

constexpr int kLimitMs = 240'000;
constexpr QSize kSize { 1280, 800 };

[[noreturn]] void giveUp(const char* waitedFor)
{
    std::cerr << "window_screenshots: waited in vain until " << waitedFor << "\n";
    std::exit(1);
}

template <typename Condition> void until(const Condition& condition, const char* words)
{
    if (!QTest::qWaitFor(condition, kLimitMs))
        giveUp(words);
}

/// The program from its start to its end, on one folder, with the default model.
struct Program {
    app::SettingsFile settings;
    app::Storage storage;
    app::Workspace workspace { app::threadBackend(app::engineFactory()) };
    app::ModelFinder models;
    app::DeviceFinder devices;
    std::unique_ptr<ui::MainWindow> window;

    explicit Program(const QString& folder)
        : settings(folder + QStringLiteral("/settings.json"))
        , storage(folder + QStringLiteral("/tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        window = std::make_unique<ui::MainWindow>(
            ui::MainWindow::Parts { workspace, models, devices, settings, &storage });
        window->resize(kSize);
        window->show();
        models.search(app::modelFolders());
        devices.search();
        if (opened.isEmpty())
            opened.wait(kLimitMs);
        window->openModel(
            QDir(app::modelsFolder()).filePath(QLatin1String(app::kDefaultModelFile)));
        until([&] { return workspace.modelState() == app::ModelState::Ready; }, "a model is open");
    }
    app::Conversation& chat() { return *window->conversation(); }
    ui::AnswerView& answer() { return *window->chatPage().view().answerAt(chat().turnCount() - 1); }
    /// Asks in a new chat.
    void ask(const char* question, int cap)
    {
        QTest::keyClick(window.get(), Qt::Key_N, Qt::ControlModifier);
        app::ChatSettings wanted = chat().settings();
        wanted.sampling.temperature = 0;
        wanted.lengthCap = cap;
        chat().setSettings(wanted);
        QTest::keyClicks(window->chatPage().input().edit(), QString::fromUtf8(question));
        QTest::keyClick(window->chatPage().input().edit(), Qt::Key_Return);
    }
    void writes(int tokenCount)
    {
        until([&] { return chat().lastDraft() && chat().lastDraft()->tokenCount() >= tokenCount; },
            "tokens are written");
    }
    void ends()
    {
        until([&] { return chat().lastDraft() && chat().lastDraft()->ending(); }, "it has ended");
    }
    /// A key for the token strip of the inspector.
    void press(Qt::Key key, int times = 1)
    {
        for (; times > 0; --times)
            QTest::keyClick(&window->inspectorPane().tokens().strip(), key);
    }
    void save(const QString& folder, const QString& name)
    {
        QTest::qWait(120); // what has happened is painted
        const QString path = QStringLiteral("%1/%2.png").arg(folder, name);
        if (!window->grab().save(path))
            giveUp("a picture is saved");
        std::cout << path.toStdString() << "\n";
    }
};

/// The parts of the inspector, a fork, and an answer that is written step by step.
void saveInspector(Program& program, const QString& folder)
{
    QTest::keyClick(program.window.get(), Qt::Key_Comma, Qt::ControlModifier); // room for the inspector
    program.ask("What is the capital of France?", 256);
    program.ends();
    QTest::keyClick(program.window.get(), Qt::Key_I, Qt::ControlModifier);
    program.press(Qt::Key_End);
    program.press(Qt::Key_Left, 2); // " Paris"
    QTabWidget& tabs = program.window->inspectorPane().tabs();
    for (int i = 0; i < tabs.count(); ++i) {
        tabs.setCurrentIndex(i);
        program.save(folder, QStringLiteral("inspector-") + tabs.tabText(i).remove(QLatin1Char('&')).toLower());
    }
    tabs.setCurrentIndex(0);
    ui::CandidateList& candidates = program.window->inspectorPane().tokens().details().candidates();
    QTest::keyClick(&candidates, Qt::Key_Down);
    QTest::keyClick(&candidates, Qt::Key_F);
    until([&] { return program.chat().tree().turns().size() == 3; }, "the answer is forked");
    program.ends();
    program.press(Qt::Key_Home);
    program.save(folder, QStringLiteral("inspector-fork"));
    program.ask("Name the planets of the solar system.", 256);
    program.writes(12);
    program.press(Qt::Key_Space);
    until([&] { return program.chat().lastDraft()->state() == app::DraftState::Paused; }, "it pauses");
    const int count = program.chat().lastDraft()->tokenCount();
    program.press(Qt::Key_Period);
    program.writes(count + 1);
    program.press(Qt::Key_End);
    program.save(folder, QStringLiteral("inspector-paused"));
}

}

/// Takes the pictures of the README, with the real model: window_screenshots FOLDER.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc != 2) {
        std::cerr << "usage: window_screenshots FOLDER\n";
        return 2;
    }
    const QString folder = application.arguments()[1];
    QApplication::setPalette(ui::paletteFor(ui::Appearance::Light, QApplication::palette()));
    const QTemporaryDir home;
    {
        Program program(home.path());
        program.ask("What is the capital of France?", 256);
        program.ends();
        program.save(folder, "complete");
        program.ask("Why do leaves turn red in autumn?", 48);
        program.ends();
        program.save(folder, "capped");
        QTest::keyClick(program.answer().footer().chip(), Qt::Key_Space);
        program.save(folder, "ledger");
        program.ask("Tell me a story about a lighthouse.", 512);
        program.writes(60);
        QTest::keyClick(program.window.get(), Qt::Key_Escape);
        program.ends();
        program.save(folder, "stopped");
        program.ask("Explain how a sundial tells the time.", 512);
        program.writes(70);
        program.save(folder, "writing");
        QTest::qWait(500);
        // The program is gone without a word to the engine or the store.
    }
    Program program(home.path());
    for (const auto& chat : program.workspace.conversations())
        if (chat->badge().reason == engine::StopReason::Interrupted) {
            program.window->showConversation(chat.get());
            until([&] { return chat->isLoaded(); }, "the chat is read");
        }
    program.save(folder, "interrupted");
    saveInspector(program, folder);
    return 0;
}
