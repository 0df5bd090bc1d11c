#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "app/conversation/requirement_watch.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::Conversation;
using app::ConversationKind;
using app::RequirementWatch;
using engine::StopReason;

namespace {

constexpr const char* kSet = R"({"requirement_set": 1, "name": "Hours", "requirements": [
    {"kind": "field", "name": "day", "pattern": "monday|sunday"},
    {"kind": "field", "name": "time", "pattern": "\\d+:\\d\\d"},
    {"kind": "evidence", "name": "day in the notice", "source": "notice.txt",
     "pattern": "monday|sunday"}]})";

app::ChosenRequirements chosenSet()
{
    return { false, "/somewhere/hours.json", app::sha256Hex(kSet), kSet };
}

/// The program on one folder, with a chat that asks for three things.
struct Program {
    tests::FakeEngine engine;
    app::Storage storage;
    app::Workspace workspace { engine.factory() };
    std::unique_ptr<RequirementWatch> watch;

    explicit Program(const QTemporaryDir& folder)
        : storage(folder.filePath("tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        watch = std::make_unique<RequirementWatch>(workspace, &storage);
        opened.wait(5000);
        workspace.loadModel({ .path = "tiny.gguf" });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }

    Conversation& askingChat(bool isPrivate = false)
    {
        Conversation& chat = workspace.addConversation(ConversationKind::Chat, isPrivate);
        app::ChatSettings settings = chat.settings();
        settings.requirements = chosenSet();
        chat.setSettings(settings);
        workspace.addSources(chat, { app::sourceTextOf("notice.txt", "Open on Monday at 9:30.") });
        return chat;
    }
    bool begin(Conversation& chat)
    {
        const size_t before = engine.requests.size();
        return workspace.send(chat, "When?")
            && QTest::qWaitFor([&] { return engine.requests.size() > before; }, 5000);
    }
    void write(Conversation& chat, const std::string& text, StopReason reason)
    {
        QVERIFY(begin(chat));
        engine.token(text);
        engine.end(reason);
        QVERIFY(QTest::qWaitFor([&] { return isFinal(chat); }, 5000));
    }
    static const std::optional<app::RequirementCheck>& check(const Conversation& chat)
    {
        return chat.lastDraft()->check();
    }
    /// Ended, looked at as it is, and that is in the file.
    bool isFinal(const Conversation& chat)
    {
        const app::Draft* draft = chat.lastDraft();
        const bool isComplete = draft->verdict() == engine::Verdict::Complete;
        return draft->ending() && check(chat) && (check(chat)->isTextFinal || !isComplete)
            && chat.isPrivate() == record(draft->runId())["requirement_check"].is_null();
    }
    nlohmann::ordered_json record(engine::RunId run)
    {
        std::optional<nlohmann::ordered_json> found;
        storage.readRecord(app::StoredRunId(run),
            [&](const engine::Result<nlohmann::ordered_json>& read) {
                found = read ? *read : nlohmann::ordered_json { { "requirement_check", nullptr } };
            });
        if (!QTest::qWaitFor([&] { return found.has_value(); }, 5000))
            return {};
        return found.value_or(nlohmann::ordered_json());
    }
};

std::string words(const Conversation& chat) { return Program::check(chat)->words(); }

}

class TestRequirementWatch : public QObject {
    Q_OBJECT
private slots:
    void everyRunOfAGridIsCheckedThoughNoneIsShown()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        program.write(chat, "On Monday.", StopReason::EndToken);
        app::StartedGrid grid;
        QVERIFY(program.workspace.startTogether(chat, *chat.lastAnswerTurn(),
            { { "a", chat.settings() }, { "b", chat.settings() } },
            [&grid](const app::StartedGrid& started) { grid = started; }));
        QVERIFY(QTest::qWaitFor([&] { return program.engine.requests.size() == 3; }, 5000));
        const auto draft = [&](size_t cell) { return chat.findTurn(grid.cells[cell].answer)->draft(); };
        for (size_t i = 0; i < 2; ++i) {
            program.engine.tellOf(draft(i)->runId());
            program.engine.token(i == 0 ? "On Monday at 9:30 " : "Never ");
        }
        const auto met = [&](size_t cell) { return draft(cell)->check() ? draft(cell)->check()->metCount() : -1; };
        QVERIFY(QTest::qWaitFor([&] { return met(0) == 2 && met(1) == 0; }, 5000)); // evidence stays open
        for (size_t i = 0; i < 2; ++i) {
            program.engine.tellOf(draft(i)->runId());
            program.engine.end(StopReason::EndToken);
        }
        QVERIFY(QTest::qWaitFor([&] { return draft(0)->check() && draft(0)->check()->isReady(); }, 5000));
        QVERIFY(QTest::qWaitFor([&] { return draft(1)->check() && draft(1)->check()->hasFailed(); }, 5000));
        QVERIFY(QTest::qWaitFor(
            [&] { return !program.record(draft(0)->runId())["requirement_check"].is_null(); }, 5000));

        // Nothing is asked any more, on no branch.
        app::ChatSettings settings = chat.settings();
        settings.requirements.reset();
        chat.setSettings(settings);
        QVERIFY(!draft(0)->check() && !draft(1)->check());
    }

    void aGrowingAnswerIsCheckedWhileItIsWritten()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        QVERIFY(program.begin(chat));
        program.engine.token("On Monday at ");
        QVERIFY(QTest::qWaitFor([&] { return program.check(chat) && program.check(chat)->metCount() == 1; }, 5000));
        QCOMPARE(words(chat), std::string("present so far 1 of 3 · not ready")); // evidence stays open
        program.engine.token("9:30 sharp");
        QVERIFY(QTest::qWaitFor([&] { return program.check(chat)->metCount() == 2; }, 5000));
        QCOMPARE(words(chat), std::string("present so far 2 of 3 · not ready"));
        program.engine.end(StopReason::EndToken);
        QVERIFY(QTest::qWaitFor([&] { return program.isFinal(chat); }, 5000));
        QCOMPARE(words(chat), std::string("3 of 3 · ready"));
        const auto record = program.record(chat.lastDraft()->runId());
        QCOMPARE(record["requirement_check"]["met"].get<int>(), 3);
        QCOMPARE(record["requirement_check"]["ready"].get<bool>(), true);
        QCOMPARE(record["requirement_check"]["set_sha256"].get<std::string>(), app::sha256Hex(kSet));
        QVERIFY(record["times"].is_object());
    }

    void manyTokensAreNotLookedAtOneByOne()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        QVERIFY(program.begin(chat));
        std::optional<app::RequirementCheck> last;
        int changes = 0;
        connect(&chat, &Conversation::draftChanged, this, [&] {
            if (program.check(chat) != last)
                ++changes;
            last = program.check(chat);
        });
        QElapsedTimer elapsed;
        elapsed.start();
        for (int i = 0; i < 200; ++i) {
            program.engine.token(std::to_string(i) + ":00 ");
            QTest::qWait(3);
        }
        const qint64 most = 3 + elapsed.elapsed() / RequirementWatch::kIntervalMs;
        QVERIFY2(changes >= 1 && changes <= most, qPrintable(QString::number(changes)));
    }

    void aCappedAnswerIsNeverReadyAndNeverAccepted()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        program.write(chat, "On Monday at 9:30 sharp", StopReason::LengthCap);
        QCOMPARE(words(chat), std::string("present so far 2 of 3 · not ready"));
        QVERIFY(!RequirementWatch::mayAccept(chat, *chat.turns().back()));
        program.watch->accept(chat, chat.turns().back()->id);
        QVERIFY(!chat.lastDraft()->acceptance());
    }

    void evidenceComesFromTheChatsSources()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        program.write(chat, "On Sunday at 9:30 sharp", StopReason::EndToken);
        QCOMPARE(words(chat), std::string("2 of 3 · checks failed"));
        // Another notice bears it out: the answer is looked at again.
        program.workspace.removeSource(chat, chat.sources()[0].id);
        program.workspace.addSources(chat, { app::sourceTextOf("notice.txt", "Open on Sunday.") });
        QVERIFY(QTest::qWaitFor([&] { return words(chat) == "3 of 3 · ready"; }, 5000));
    }

    void acceptingIsRecordedAndMayBeTakenBackUntilTheNextEdit()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        program.write(chat, "On Monday at 9:30.", StopReason::EndToken);
        const app::MessageId turn = chat.turns().back()->id;
        const engine::RunId run = chat.lastDraft()->runId();
        QVERIFY(RequirementWatch::mayAccept(chat, *chat.turns().back()));
        program.watch->accept(chat, turn);
        QVERIFY(chat.lastDraft()->acceptance());
        QVERIFY(!RequirementWatch::mayAccept(chat, *chat.turns().back()));
        const auto record = program.record(run);
        QCOMPARE(record["accepted"]["text_sha256"].get<std::string>(), app::sha256Hex("On Monday at 9:30."));
        QVERIFY(record["accepted"]["at"].get<std::string>().ends_with("Z"));
        program.watch->takeBack(chat, turn);
        QVERIFY(!chat.lastDraft()->acceptance());
        QVERIFY(program.record(run)["accepted"].is_null());
        program.watch->accept(chat, turn);
        QTest::qWait(5); // a later millisecond
        QVERIFY(program.begin(chat));
        program.watch->takeBack(chat, turn);
        QVERIFY(chat.findTurn(turn)->draft()->acceptance());
    }

    void theSetAndTheActAreThereAfterARestartAndInAnExport()
    {
        const QTemporaryDir folder;
        std::string exported;
        {
            Program program(folder);
            Conversation& chat = program.askingChat();
            program.write(chat, "On Monday at 9:30.", StopReason::EndToken);
            program.watch->accept(chat, chat.turns().back()->id);
            QTest::qWait(600); // rows are written a moment later
            QVERIFY(program.storage.flush(5000));
            program.workspace.readWhole(chat, [&](const engine::Result<app::ChatFile>& file) {
                QVERIFY(file.has_value());
                exported = app::chatToJson(*file);
            });
            QVERIFY(QTest::qWaitFor([&] { return !exported.empty(); }, 5000));
            program.workspace.close();
        }
        const auto seems = [](Conversation& chat) {
            return chat.settings().requirements == chosenSet() && chat.lastDraft()
                && chat.lastDraft()->acceptance() && chat.lastDraft()->check()
                && chat.lastDraft()->check()->isReady();
        };
        Program program(folder);
        Conversation& kept = *program.workspace.conversations().front();
        program.workspace.openConversation(kept);
        QVERIFY(QTest::qWaitFor([&] { return kept.isLoaded() && seems(kept); }, 5000));
        QVERIFY(RequirementWatch::mayTakeBack(kept, *kept.turns().back()));
        const auto file = app::chatFromJson(exported);
        QVERIFY(file.has_value());
        Conversation& imported = program.workspace.addConversation(*file);
        program.workspace.openConversation(imported);
        QVERIFY(QTest::qWaitFor([&] { return imported.isLoaded() && seems(imported); }, 5000));
    }

    void withoutASetNothingIsChecked()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        program.write(chat, "On Monday at 9:30.", StopReason::EndToken);
        app::ChatSettings settings = chat.settings();
        settings.requirements.reset();
        chat.setSettings(settings);
        QVERIFY(!program.check(chat));
        QVERIFY(!RequirementWatch::mayAccept(chat, *chat.turns().back()));
    }

    void aPrivateChatIsCheckedAndKeptNowhere()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat(true);
        program.write(chat, "On Monday at 9:30.", StopReason::EndToken);
        program.watch->accept(chat, chat.turns().back()->id);
        QVERIFY(chat.lastDraft()->acceptance());
        QVERIFY(program.record(chat.lastDraft()->runId())["requirement_check"].is_null());
    }

    void lookingCostsTheWindowLessThanFiveMilliseconds()
    {
        const QTemporaryDir folder;
        Program program(folder);
        Conversation& chat = program.askingChat();
        QVERIFY(program.begin(chat));
        program.engine.token(std::string(1'000'000, 'm'));
        QVERIFY(QTest::qWaitFor([&] { return program.check(chat).has_value(); }, 20'000));
        // What the window's thread does at each tick, over a text of a megabyte.
        QList<qint64> costs;
        for (int i = 0; i < 9; ++i) {
            program.engine.token(" 9:30");
            QTest::qWait(5);
            QElapsedTimer cost;
            cost.start();
            program.watch->lookAtLive();
            costs.append(cost.nsecsElapsed());
        }
        std::sort(costs.begin(), costs.end());
        QVERIFY2(costs[4] < 5'000'000, qPrintable(QString::number(costs[4])));
    }
};

QTEST_GUILESS_MAIN(TestRequirementWatch)
#include "tst_requirement_watch.moc"
