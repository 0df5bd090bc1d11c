#pragma once

#include "app/cli/engine_factory.h"
#include "app/conversation/workspace.h"
#include "app/storage/storage.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#define VERIFY_READY(program)                                                                      \
    QVERIFY2((program).isReady,                                                                    \
        (program).workspace.modelProblem()                                                         \
            ? qPrintable((program).workspace.modelProblem()->message)                              \
            : "still loading")

namespace tests {

inline constexpr int kLimitMs = 240'000; // a load or an answer, on a machine that has other things to do

/// The program without its window, on one folder, with SmolLM2.
struct Program {
    app::Storage storage;
    app::Workspace workspace { app::threadBackend(app::engineFactory()) };
    bool isReady = false;

    Program(const QTemporaryDir& folder, const QString& model)
        : storage(folder.filePath("tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        opened.wait(10'000);
        workspace.loadModel({ .path = model.toStdString() });
        isReady = QTest::qWaitFor(
            [&] { return workspace.modelState() == app::ModelState::Ready; }, kLimitMs);
    }
    app::Conversation& newChat(int cap)
    {
        app::Conversation& chat = workspace.addConversation(app::ConversationKind::Chat);
        setCap(chat, cap);
        return chat;
    }
    void setCap(app::Conversation& chat, int cap)
    {
        app::ChatSettings settings = chat.settings();
        settings.sampling.temperature = 0;
        settings.lengthCap = cap;
        chat.setSettings(settings);
    }
    bool ends(app::Conversation& chat)
    {
        return QTest::qWaitFor([&] { return !chat.activeDraft(); }, kLimitMs);
    }
    /// The only conversation of the folder, with its turns.
    app::Conversation* reopen()
    {
        if (workspace.conversations().size() != 1)
            return nullptr;
        app::Conversation* chat = workspace.conversations().front().get();
        workspace.openConversation(*chat);
        return QTest::qWaitFor([&] { return chat->isLoaded(); }, 10'000) ? chat : nullptr;
    }
};

} // namespace tests
