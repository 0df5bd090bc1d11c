#pragma once

#include "app/settings/settings_file.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/conversation_list.h"
#include "ui/main_window.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tests {

/// The program from its start to its end, on a folder that keeps what was said: the window, a store
/// and a fake engine.
struct KeptWindow {
    app::SettingsFile store;
    FakeEngine engine;
    app::Storage storage;
    app::Workspace workspace { engine.factory() };
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window;

    explicit KeptWindow(const QTemporaryDir& folder)
        : store(folder.filePath(QStringLiteral("settings.json")))
        , storage(folder.filePath(QStringLiteral("tokenglass.sqlite")))
        , window(kept(workspace, storage, models, devices, store))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        window.show();
        window.activateWindow();
        opened.wait(5000);
        window.openModel(QStringLiteral("/models/tiny.gguf"));
        engine.finishLoad();
        QTest::qWait(20);
    }

    app::Conversation& chat() { return *window.conversation(); }
    /// A question in the shown conversation and its answer, both kept when this returns.
    void converse(const QString& question, const std::string& answer,
        engine::StopReason reason = engine::StopReason::EndToken)
    {
        const size_t before = engine.requests.size();
        QVERIFY(workspace.send(chat(), question));
        answerNext(before, answer, reason);
    }
    void answerNext(size_t requestsBefore, const std::string& answer,
        engine::StopReason reason = engine::StopReason::EndToken)
    {
        QVERIFY(QTest::qWaitFor([&] { return engine.requests.size() > requestsBefore; }, 5000));
        engine.token(answer);
        engine.end(reason);
        QVERIFY(QTest::qWaitFor([&] { return !chat().activeDraft(); }, 5000));
        QVERIFY(storage.flush(5000));
    }
    /// The answer that was asked for as a token for each letter, kept when this returns.
    void writeLetters(bool isAsked, const std::string& letters)
    {
        QVERIFY(isAsked);
        // The question is on the disk before the engine is asked.
        const auto isBegun = [&] {
            const app::Draft* draft = chat().activeDraft();
            return draft && !engine.requests.empty() && engine.requests.back().runId == draft->runId();
        };
        QVERIFY(QTest::qWaitFor(isBegun, 5000));
        for (const char letter : letters)
            engine.token(std::string(1, letter), engine::TokenId(letter));
        engine.end(engine::StopReason::EndToken);
        QVERIFY(QTest::qWaitFor([&] { return !chat().activeDraft(); }, 5000));
        QVERIFY(storage.flush(5000));
    }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target ? target : &window, Qt::Key(key), modifiers);
    }
    QListView* list() { return window.findChild<QListView*>(QStringLiteral("conversations")); }
    ui::ConversationListModel* model()
    {
        return qobject_cast<ui::ConversationListModel*>(list()->model());
    }
    /// The rows of the list as they read, headings in brackets.
    QStringList rows()
    {
        QStringList texts;
        for (int row = 0; row < model()->rowCount(); ++row) {
            const QModelIndex index = model()->index(row);
            const QString text = index.data().toString();
            texts.append(model()->conversationAt(index) ? text : QStringLiteral("[%1]").arg(text));
        }
        return texts;
    }

private:
    // The store must be watched before the window adds its first conversation.
    static ui::MainWindow::Parts kept(app::Workspace& workspace, app::Storage& storage,
        app::ModelFinder& models, app::DeviceFinder& devices, app::SettingsFile& store)
    {
        workspace.keepIn(storage);
        return { workspace, models, devices, store, &storage };
    }
};

} // namespace tests
