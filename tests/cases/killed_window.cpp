#include "app/cli/engine_factory.h"
#include "app/models/fetch_tool.h"
#include "app/paint_trace.h"
#include "app/settings/places.h"
#include "app/storage/instance_lock.h"
#include "app/storage/storage.h"
#include "ui/chat/answer_view.h"
#include "ui/chat/chat_page.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <iostream>
#include <nlohmann/json.hpp>

namespace {

constexpr int kLimitMs = 240'000;

using nlohmann::json;

void tell(const json& line) { std::cout << line.dump() << std::endl; }

/// Everything the window has, as it would show it.
json shownChats(app::Workspace& workspace)
{
    json chats = json::array();
    for (const auto& chat : workspace.conversations()) {
        workspace.openConversation(*chat);
        if (!QTest::qWaitFor([&] { return chat->isLoaded(); }, 10'000))
            return json();
        if (chat->turnCount() < 2 || !chat->lastDraft())
            continue;
        const ui::DraftWords words = ui::answerWords(*chat->lastAnswer());
        chats.push_back({ { "question", chat->turns().front()->said().toStdString() },
            { "run", chat->lastAnswer()->parts().front()->runId() },
            { "text", chat->lastAnswer()->text() }, { "tokens", chat->lastAnswer()->tokenCount() },
            { "reason", engine::stopReasonInfo(chat->lastDraft()->ending()->ledger.reason).name },
            { "verdict", engine::verdictName(chat->lastAnswer()->verdict()) },
            { "label", words.sentence().toStdString() } });
    }
    return chats;
}

/// Continues the shown answer by its key; what the new run was given to read.
json continued(app::Conversation& chat, ui::MainWindow& window)
{
    const size_t partCount = chat.lastAnswer()->parts().size();
    const std::string kept = chat.lastAnswer()->text();
    QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier);
    const bool wrote = QTest::qWaitFor(
        [&] {
            return chat.lastAnswer()->parts().size() > partCount
                && chat.lastDraft()->tokenCount() >= 2;
        },
        kLimitMs);
    if (!wrote)
        return { { "wrote", false } };
    const app::Answer& answer = *chat.lastAnswer();
    engine::TokenIds expected = answer.promptIds();
    for (size_t i = 0; i < partCount; ++i)
        for (const engine::TokenRecord& record : answer.parts()[i]->records())
            expected.push_back(record.id);
    const json told { { "wrote", true },
        { "prefix_equal", chat.lastDraft()->origin().request.promptIds == expected },
        { "text_kept", answer.text().starts_with(kept) } };
    QTest::keyClick(&window, Qt::Key_Escape);
    const bool ended = QTest::qWaitFor([&] { return !chat.activeDraft(); }, kLimitMs);
    return ended ? told : json { { "wrote", false } };
}

}

/// The window as app/main.cpp makes it, with hands that type: killed_window QUESTION [continue].
/// It tells what it found, continues the answer to the question before if asked to, asks the
/// question in a new chat and waits to be killed. Lines of JSON on standard output.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tokenglass"));
    const QStringList arguments = application.arguments();
    const app::InstanceStart start = app::InstanceLock::take(app::dataFolder());
    if (!start.lock || arguments.size() < 2) {
        tell({ { "error", start.message.toStdString() } });
        return 1;
    }
    app::SettingsFile store(app::settingsFile());
    app::Storage storage(app::conversationsFile());
    app::Workspace workspace(app::threadBackend(app::engineFactory()));
    QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
    workspace.keepIn(storage);
    const app::PaintTrace trace(workspace, qEnvironmentVariable("TOKENGLASS_TRACE"));
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store, &storage });
    window.show();
    if (opened.isEmpty() && !opened.wait(30'000))
        return 1;
    tell({ { "found", shownChats(workspace) } });

    window.openModel(QDir(app::modelsFolder()).filePath(QLatin1String(app::kDefaultModelFile)));
    if (!QTest::qWaitFor(
            [&] { return workspace.modelState() == app::ModelState::Ready; }, kLimitMs))
        return 1;
    if (arguments.contains(QStringLiteral("continue")))
        for (const auto& chat : workspace.conversations())
            if (chat->lastAnswer() && chat->lastAnswer()->mayContinue()) {
                window.showConversation(chat.get());
                QTest::qWait(50);
                tell({ { "continued", continued(*chat, window) } });
                break; // the newest: they were added as the store gave them
            }
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    app::Conversation& chat = *window.conversation();
    app::ChatSettings settings = chat.settings();
    settings.sampling.temperature = 0;
    settings.lengthCap = 400;
    chat.setSettings(settings);
    QTest::keyClicks(window.chatPage().input().edit(), arguments[1]);
    QTest::keyClick(window.chatPage().input().edit(), Qt::Key_Return);
    const bool began = QTest::qWaitFor(
        [&] { return chat.lastDraft() && chat.lastDraft()->state() != app::DraftState::Queued; },
        kLimitMs);
    if (!began)
        return 1;
    tell({ { "run", chat.lastDraft()->runId() } });
    return QApplication::exec();
}
