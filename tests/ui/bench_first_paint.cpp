#include "app/cli/engine_factory.h"
#include "app/inspection/run_timeline.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector_control.h"

#include <QAction>

#include <algorithm>
#include <iostream>
#include <thread>

namespace {

constexpr int kLimitMs = 240'000;
constexpr int kRunsOfAChat = 20; // short chats, as most are

void print(const std::vector<double>& delays, const char* words)
{
    const auto at = [&](double share) { return app::percentile(delays, share).value_or(0); };
    std::cout << delays.size() << " runs, " << words << ": median " << at(0.5)
              << " ms, 99th percentile " << at(0.99) << " ms, most " << at(1) << " ms\n";
}

/// The token comes from a thread of its own, as the engine's do, at a moment the window does not
/// know.
std::vector<double> withFakeEngine(int runCount, bool isInspected)
{
    tests::WindowFixture program;
    program.window.resize(1280, 800);
    program.loadModel();
    program.window.inspector().action()->setChecked(isInspected);
    std::vector<double> delays;
    for (int run = 0; run < runCount; ++run) {
        if (run % kRunsOfAChat == 0)
            program.window.showConversation(
                &program.workspace.addConversation(app::ConversationKind::Chat));
        program.edit()->setFocus();
        program.send(QStringLiteral("Question %1").arg(run));
        const app::Draft* draft = program.chat().activeDraft();
        if (!draft)
            return delays;
        QElapsedTimer sinceDecided;
        std::thread engine([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5 + run % 17));
            sinceDecided.start();
            program.engine.token("Hello");
        });
        while (!draft->firstOutputMs())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
        delays.push_back(double(sinceDecided.nsecsElapsed()) / 1e6);
        engine.join();
        program.engine.end(engine::StopReason::EndToken);
        program.settle(20);
    }
    return delays;
}

/// As the timeline of each run tells it; the engine goes on writing meanwhile, on the same cores.
std::vector<double> withModel(const QString& path, int runCount, bool isInspected)
{
    QTemporaryDir folder;
    app::SettingsFile store(folder.filePath(QStringLiteral("settings.json")));
    app::Workspace workspace(app::threadBackend(app::engineFactory()));
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store });
    window.resize(1280, 800);
    window.show();
    window.openModel(path);
    std::vector<double> delays;
    std::vector<double> deliveries;
    if (!QTest::qWaitFor(
            [&] { return workspace.modelState() == app::ModelState::Ready; }, kLimitMs))
        return delays;
    window.inspector().action()->setChecked(isInspected);
    for (int run = 0; run < runCount; ++run) {
        window.showConversation(&workspace.addConversation(app::ConversationKind::Chat));
        app::Conversation& chat = *window.conversation();
        app::ChatSettings settings = chat.settings();
        settings.lengthCap = 24;
        chat.setSettings(settings);
        QTest::keyClicks(
            window.chatPage().input().edit(), QStringLiteral("Tell me of %1.").arg(run));
        QTest::keyClick(window.chatPage().input().edit(), Qt::Key_Return);
        if (!QTest::qWaitFor(
                [&] { return chat.lastDraft() && chat.lastDraft()->ending(); }, kLimitMs))
            return delays;
        QTest::qWait(50);
        const app::RunTimeline line = app::runTimeline(*chat.lastDraft());
        if (!line.firstPaintDelayMs || !line.steps[0].deliveryMs)
            continue;
        delays.push_back(*line.firstPaintDelayMs);
        deliveries.push_back(*line.steps[0].deliveryMs);
    }
    print(deliveries, "first token decided to at the window");
    return delays;
}

}

/// How long the first token of an answer takes from the engine to the screen:
/// bench_first_paint [RUNS] [MODEL] [inspector]. Without a model the engine is a fake one, which
/// leaves the cores to the window. A benchmark: nothing here passes or fails.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    const bool isInspected = arguments.removeAll(QStringLiteral("inspector")) > 0;
    const int runCount = arguments.isEmpty() ? 200 : arguments[0].toInt();
    print(arguments.size() > 1 ? withModel(arguments[1], runCount, isInspected)
                               : withFakeEngine(runCount, isInspected),
        "first token decided to first paint");
    return 0;
}
