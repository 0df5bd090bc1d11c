#pragma once

#include "app/cli/engine_factory.h"
#include "app/models/fetch_tool.h"
#include "app/settings/places.h"
#include "app/storage/storage.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/main_window.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <iostream>

namespace tests {

constexpr int kPictureLimitMs = 240'000;
constexpr QSize kPictureSize { 1280, 800 };

[[noreturn]] inline void giveUp(const char* waitedFor)
{
    std::cerr << "window_screenshots: waited in vain until " << waitedFor << "\n";
    std::exit(1);
}

template <typename Condition> void until(const Condition& condition, const char* words)
{
    if (!QTest::qWaitFor(condition, kPictureLimitMs))
        giveUp(words);
}

/// The program from its start to its end, on one folder, with the default model.
struct RealProgram {
    app::SettingsFile settings;
    app::Storage storage;
    app::Workspace workspace { app::threadBackend(app::engineFactory()) };
    app::ModelFinder models;
    app::DeviceFinder devices;
    std::unique_ptr<ui::MainWindow> window;

    explicit RealProgram(const QString& folder)
        : settings(folder + QStringLiteral("/settings.json"))
        , storage(folder + QStringLiteral("/tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        window = std::make_unique<ui::MainWindow>(
            ui::MainWindow::Parts { workspace, models, devices, settings, &storage });
        window->resize(kPictureSize);
        window->show();
        models.search(app::modelFolders());
        devices.search();
        if (opened.isEmpty())
            opened.wait(kPictureLimitMs);
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
    void save(const QString& folder, const QString& name) { save(*window, folder, name); }
    /// Also a window of its own.
    static void save(QWidget& shown, const QString& folder, const QString& name)
    {
        QTest::qWait(120); // what has happened is painted
        const QString path = QStringLiteral("%1/%2.png").arg(folder, name);
        if (!shown.grab().save(path))
            giveUp("a picture is saved");
        std::cout << path.toStdString() << "\n";
    }
};

} // namespace tests
