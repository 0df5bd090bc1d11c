#include "app/conversation/journal.h"
#include "app/conversation/run_variants.h"
#include "app/conversation/workspace.h"
#include "app/inspection/run_timeline.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::Conversation;
using app::ConversationKind;
using engine::StopReason;
using engine::Verdict;

namespace {

/// The program from its start to its end on one folder.
struct Program {
    tests::FakeEngine engine;
    app::Storage storage;
    app::Workspace workspace { engine.factory() };

    explicit Program(const QTemporaryDir& folder)
        : storage(folder.filePath("tokenglass.sqlite"))
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        opened.wait(5000);
        workspace.loadModel({ .path = "tiny.gguf" });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }

    /// Until the run that was asked for has reached the engine.
    bool begun(size_t requestCount)
    {
        return QTest::qWaitFor([&] { return engine.requests.size() == requestCount; }, 5000);
    }
    void converse(Conversation& chat, const QString& question, const std::string& answer,
        StopReason reason = StopReason::EndToken)
    {
        const size_t before = engine.requests.size();
        QVERIFY(workspace.send(chat, question));
        QVERIFY(begun(before + 1));
        engine.token(answer);
        engine.end(reason);
        QVERIFY(QTest::qWaitFor([&] { return !chat.activeDraft(); }, 5000));
    }
    nlohmann::ordered_json record(engine::RunId run)
    {
        std::optional<nlohmann::ordered_json> found;
        storage.readRecord(app::StoredRunId(run), [&](const engine::Result<nlohmann::ordered_json>& read) {
            found = read ? *read : nlohmann::ordered_json::object();
        });
        const bool isRead = QTest::qWaitFor([&] { return found.has_value(); }, 5000);
        return isRead ? *found : nlohmann::ordered_json::object();
    }
    /// The stored conversation with this title, with its turns.
    Conversation* open(const QString& title)
    {
        for (const auto& conversation : workspace.conversations())
            if (conversation->title() == title) {
                workspace.openConversation(*conversation);
                if (!QTest::qWaitFor([&] { return conversation->isLoaded(); }, 5000))
                    return nullptr;
                return conversation.get();
            }
        return nullptr;
    }
};

bool holds(const QTemporaryDir& folder, const QByteArray& text)
{
    for (const QString& name : QDir(folder.path()).entryList(QDir::Files)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
            return true;
    }
    return false;
}

}

class TestKeptConversations : public QObject {
    Q_OBJECT
private slots:
    void aChatIsThereAfterARestart();
    void aRunGridIsThereAfterARestart();
    void aRunGridThatIsStoppedBeforeItIsSafeEndsInTheEngine();
    void anAnswerUnderAnotherTemplateGoesOnAfterARestart();
    void g09_theStopReasonIsTheSameAfterARestart();
    void g37_theMessageIsSafeBeforeItsRunBegins();
    void g37_aDraftUnderWayIsPartialAndInterruptedAfterARestart();
    void aPausedDraftIsPartialAfterARestartAndGoesOnFromItsIds();
    void theTimelineIsTheSameAfterARestart();
    void aForkIsThereAfterARestart();
    void g20_continueGoesOnFromTheIdsAfterARestart();
    void bansSurviveARestart();
    void branchesAndWhichIsShownSurvive();
    void whatWasTypedAndNotSentSurvives();
    void settingsOfAChatSurvive();
    void aRemovedConversationIsReallyGone();
    void aPrivateChatNeverTouchesTheDisk();
    void aPageOfPlainTextSurvives();
    void stoppingARunThatWaitsForTheDiskStopsIt();
};

void TestKeptConversations::aRunGridIsThereAfterARestart()
{
    QTemporaryDir folder;
    std::string id;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Count", "1, 2", StopReason::LengthCap);
        app::ChatSettings longer = chat.settings();
        longer.lengthCap = 2000;
        QVERIFY(program.workspace.startTogether(chat, *chat.lastAnswerTurn(),
            { { "as it was", app::StopWish { 1024, {}, false } }, { "cap 2000", longer } },
            [&id](const app::StartedGrid& grid) { id = grid.id; }));
        QVERIFY(program.engine.requests.size() == 1); // they wait until both are safe
        QVERIFY(program.begun(3));
        QCOMPARE(program.engine.together.size(), size_t(1));
        program.engine.tellOf(program.engine.together[0][0]);
        program.engine.token("1, 2");
        program.engine.end(StopReason::LengthCap);
        program.engine.tellOf(program.engine.together[0][1]);
        program.engine.token("1, 2, 3");
        QTRY_COMPARE(chat.activeTurns().size(), size_t(1));
        QTRY_COMPARE(chat.activeDraft()->text(), std::string("1, 2, 3"));
        QTest::qWait(2 * app::Journal::kDraftIntervalMs);
        QVERIFY(program.storage.flush(5000));
    } // the program is gone while one of them is written
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QVERIFY(!app::gridPlaceOf(*chat->lastAnswerTurn())); // what was shown is shown
    const std::vector<app::Turn*> turns = app::turnsOfGrid(*chat, id);
    QCOMPARE(turns.size(), size_t(3));
    QCOMPARE(turns[0], chat->lastAnswerTurn());
    QCOMPARE(app::gridPlaceOf(*turns[1])->label, std::string("as it was"));
    QCOMPARE(app::gridPlaceOf(*turns[2])->label, std::string("cap 2000"));
    QCOMPARE(turns[1]->draft()->ending()->ledger.reason, StopReason::LengthCap);
    QCOMPARE(turns[2]->draft()->ending()->ledger.reason, StopReason::Interrupted);
    QCOMPARE(turns[2]->draft()->text(), std::string("1, 2, 3"));
    QCOMPARE(turns[2]->draft()->origin().request.lengthCap, 2000);

    // What an earlier start wrote can be run again: its ids are read first.
    QVERIFY(program.workspace.startTogether(*chat, *chat->lastAnswerTurn(),
        { { "cap doubled", app::StopWish { 2048, {}, false } }, { "end tokens ignored", app::StopWish { 1024, {}, true } } }));
    QVERIFY(program.begun(2));
    QVERIFY(!program.engine.requests[0].promptIds.empty());
    QCOMPARE(program.engine.requests[0].promptIds, program.engine.requests[1].promptIds);
}

void TestKeptConversations::aRunGridThatIsStoppedBeforeItIsSafeEndsInTheEngine()
{
    QTemporaryDir folder;
    Program program(folder);
    Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
    program.converse(chat, "Count", "1, 2", StopReason::LengthCap);
    QVERIFY(program.workspace.startTogether(
        chat, *chat.lastAnswerTurn(), { { "a", chat.settings() }, { "b", chat.settings() } }));
    program.workspace.stop(chat, *chat.activeTurns()[0]);
    QVERIFY(program.engine.cancelled.empty());
    QVERIFY(program.begun(3));
    QCOMPARE(program.engine.cancelled, std::vector<engine::RunId> { program.engine.requests[1].runId });
}

void TestKeptConversations::anAnswerUnderAnotherTemplateGoesOnAfterARestart()
{
    QTemporaryDir folder;
    engine::TokenIds ids;
    app::StartedGrid grid;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Count", "1, 2", StopReason::LengthCap);
        QVERIFY(program.workspace.startTogether(chat, *chat.lastAnswerTurn(),
            *app::templateVariants(chat.settings(),
                { { app::PromptFormatKind::Family, engine::TemplateFamily::Llama3 },
                    { app::PromptFormatKind::None } }),
            [&grid](const app::StartedGrid& started) { grid = started; }));
        QVERIFY(program.begun(3));
        ids = program.engine.requests[1].promptIds;
        for (const engine::RunId run : program.engine.together[0]) {
            program.engine.tellOf(run);
            program.engine.token("1");
            program.engine.end(StopReason::LengthCap);
        }
        QTRY_VERIFY(!chat.activeDraft());
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    const char* const families[] = { "Llama 3", "" };
    for (size_t i = 0; i < 2; ++i) {
        app::Turn* turn = chat->findTurn(grid.cells[i].answer);
        QVERIFY(turn);
        QCOMPARE(turn->draft()->origin().templateFamily, std::string(families[i]));
        chat->showTurn(*turn);
        QVERIFY(program.workspace.continueAnswer(*chat, turn));
        QVERIFY(program.begun(i + 1));
        if (i == 0) {
            ids.push_back('x'); // the token it had written
            QCOMPARE(program.engine.requests[0].promptIds, ids);
        }
        program.engine.token(", 2");
        program.engine.end(StopReason::EndToken);
        QTRY_VERIFY(!chat->activeDraft());
        QCOMPARE(turn->answer->text(), std::string("1, 2"));
        // Both of its runs say what wrote the prompt.
        for (const auto& part : turn->answer->parts()) {
            const auto record = program.record(part->runId());
            if (i == 1) {
                QVERIFY(record["template"].is_null());
                QCOMPARE(record["prompt"]["text"].get<std::string>(), std::string("Count"));
                continue;
            }
            QCOMPARE(record["template"]["family"].get<std::string>(), std::string("Llama 3"));
            QCOMPARE(record["template"]["sha256"].get<std::string>(),
                app::sha256Hex(engine::templateFamilyTable()[1].source));
            QCOMPARE(record["template"]["default_system_text"].get<std::string>(), std::string());
        }
    }
}

void TestKeptConversations::aChatIsThereAfterARestart()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Hi", "Hello there");
        program.converse(chat, "More", "Again");
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Hi");
    QVERIFY(chat);
    QCOMPARE(chat->turnCount(), size_t(4));
    QCOMPARE(chat->turns()[0]->said(), QString("Hi"));
    QCOMPARE(chat->turns()[1]->said(), QString("Hello there"));
    QCOMPARE(chat->turns()[3]->answer->verdict(), Verdict::Complete);
    const app::Draft& draft = *chat->lastDraft();
    QCOMPARE(draft.origin().modelName, std::string("Tiny Test 1M"));
    QCOMPARE(draft.origin().templateName, std::string("own"));
    QCOMPARE(draft.origin().tokenText(tests::FakeEngine::kEnd), std::string("<|im_end|>"));
    QCOMPARE(draft.tokenCount(), 1);
}

void TestKeptConversations::g09_theStopReasonIsTheSameAfterARestart()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Count", "1, 2, 3", StopReason::LengthCap);
        program.workspace.close();
    }
    Program program(folder);
    QCOMPARE(program.workspace.conversations().front()->badge().reason,
        std::optional(StopReason::LengthCap)); // before it is opened
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Capped);
    QCOMPARE(chat->lastDraft()->ending()->ledger.lengthCap, 1024);
}

void TestKeptConversations::g37_theMessageIsSafeBeforeItsRunBegins()
{
    QTemporaryDir folder;
    Program program(folder);
    Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
    QVERIFY(program.workspace.send(chat, "Remember me"));
    QVERIFY(program.engine.requests.empty()); // not before it is on the disk
    QVERIFY(program.begun(1));
    QVERIFY(holds(folder, "Remember me"));
}

void TestKeptConversations::g37_aDraftUnderWayIsPartialAndInterruptedAfterARestart()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        QVERIFY(program.workspace.send(chat, "Count"));
        QVERIFY(program.begun(1));
        program.engine.token("1, ");
        program.engine.token("2, ");
        QTest::qWait(2 * app::Journal::kDraftIntervalMs);
        // No end, no close: the program is gone.
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->text(), std::string("1, 2, "));
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Partial);
    QCOMPARE(chat->lastDraft()->ending()->ledger.reason, StopReason::Interrupted);
    QVERIFY(!chat->activeDraft());
}

void TestKeptConversations::aPausedDraftIsPartialAfterARestartAndGoesOnFromItsIds()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        QVERIFY(program.workspace.send(chat, "Count"));
        QVERIFY(program.begun(1));
        program.engine.token("1, ", 'p');
        program.engine.pause(engine::PauseCause::StepsDone);
        QTest::qWait(30); // a pause is written at once
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->text(), std::string("1, "));
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Partial);
    QCOMPARE(chat->lastDraft()->ending()->ledger.reason, StopReason::Interrupted);
    QVERIFY(program.workspace.continueAnswer(*chat));
    QVERIFY(program.begun(1));
    QCOMPARE(program.engine.requests.back().promptIds.back(), engine::TokenId('p'));
}

void TestKeptConversations::theTimelineIsTheSameAfterARestart()
{
    QTemporaryDir folder;
    app::RunTimeline before;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        QVERIFY(program.workspace.send(chat, "Count"));
        QVERIFY(program.begun(1));
        const engine::RunId run = program.engine.requests[0].runId;
        const auto pass = [](engine::PassKind kind, double startMs) {
            return engine::RunPass { .kind = kind, .startMs = startMs, .hostMs = 1.0 / 3,
                .deviceMs = {}, .positionCount = 1, .weightBytes = 17, .cacheBytes = {} };
        };
        program.engine.push(engine::PrefillProgress {
            run, 5, 5, 0, { pass(engine::PassKind::Prefill, 0.1) } });
        program.engine.token("One");
        program.engine.pause(engine::PauseCause::Asked);
        QTRY_COMPARE(chat.activeDraft()->state(), app::DraftState::Paused);
        QTest::qWait(20);
        program.engine.resume();
        engine::TokenDecoded second;
        second.runId = run;
        second.index = 1;
        second.record.id = 'x';
        second.record.decidedMs = 40.3;
        second.passes = { pass(engine::PassKind::Decode, 30.7) };
        program.engine.push(second);
        program.engine.end(StopReason::EndToken, [&](engine::RunEnded& ended) {
            ended.timing = { 0.3, 0.4, 9.1, 9.2, 9.3, 41.7 };
            ended.passes = { pass(engine::PassKind::Discarded, 41) };
        });
        QVERIFY(QTest::qWaitFor([&] { return !chat.activeDraft(); }, 5000));
        app::Draft& draft = *chat.turns()[1]->answer->draft();
        draft.notePainted(); // late, as in the window
        QTest::qWait(400); // until the last paint is written too
        before = app::runTimeline(draft);
        QCOMPARE(before.passes.size(), size_t(3));
        QCOMPARE(draft.pauses().size(), size_t(1));
        QVERIFY(before.prompt.templateMs && before.prompt.tokenizeMs && before.savingMs);
        QVERIFY(before.firstPaintDelayMs.has_value() || !before.steps[0].decidedMs);
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    program.workspace.readAnswerDetails(*chat, *chat->turns()[1]);
    const app::Draft& draft = *chat->turns()[1]->draft();
    QTRY_VERIFY(draft.hasDetails());
    QVERIFY(app::runTimeline(draft) == before);
    QVERIFY(draft.lastPaintMs().has_value());
}

void TestKeptConversations::aForkIsThereAfterARestart()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Count", "x", StopReason::LengthCap);
        program.workspace.close();
    }
    {
        Program program(folder);
        Conversation* chat = program.open("Count");
        QVERIFY(chat);
        // Its ids are not in memory yet.
        QVERIFY(program.workspace.fork(*chat, *chat->lastAnswerTurn(), 1, engine::TokenId('7')));
        QVERIFY(program.begun(1));
        QCOMPARE(program.engine.requests.back().draftTokenCount, 1);
        QCOMPARE(program.engine.requests.back().forcedIds, (engine::TokenIds { '7' }));
        program.engine.token("7", '7');
        program.engine.end(StopReason::EndToken);
        QTest::qWait(30);
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->text(), std::string("x7"));
    QCOMPARE(chat->lastAnswer()->opening().source, engine::TokenSource::Sampled);
    // What was observed of the kept token, and with which settings, is read with the rest.
    program.workspace.readAnswerDetails(*chat, *chat->lastAnswerTurn());
    QVERIFY(QTest::qWaitFor([&] { return chat->lastAnswer()->hasDetails(); }, 5000));
    const app::KeptTokens& kept = chat->lastDraft()->origin().kept;
    app::Turn* old = chat->tree().siblings(*chat->lastAnswerTurn()).front();
    program.workspace.readAnswerDetails(*chat, *old);
    QVERIFY(QTest::qWaitFor([&] { return old->answer->hasDetails(); }, 5000));
    QCOMPARE(kept.records, old->draft()->records());
    QCOMPARE(kept.runs.size(), size_t(1));
    QCOMPARE(kept.runs[0].sampling, old->draft()->origin().request.sampling);
    QCOMPARE(chat->lastAnswer()->tokenCount(), 1); // the fork's own
    QCOMPARE(chat->tree().siblings(*chat->lastAnswerTurn()).size(), size_t(2));
}

void TestKeptConversations::g20_continueGoesOnFromTheIdsAfterARestart()
{
    QTemporaryDir folder;
    engine::GenerationRequest first;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        QVERIFY(program.workspace.send(chat, "Count", "So: "));
        QVERIFY(program.begun(1));
        first = program.engine.requests.back();
        program.engine.token("1,", 'A');
        program.engine.token(" 2,", 'B');
        program.engine.end(StopReason::LengthCap);
        QVERIFY(QTest::qWaitFor([&] { return !chat.activeDraft(); }));
        program.workspace.close();
    }
    {
        Program program(folder);
        Conversation* chat = program.open("Count");
        QVERIFY(chat);
        QVERIFY(!chat->lastAnswer()->hasDetails());
        QVERIFY(program.workspace.continueAnswer(*chat));
        QVERIFY(program.begun(1));
        const engine::GenerationRequest& more = program.engine.requests.back();
        engine::TokenIds expected = first.promptIds;
        expected.insert(expected.end(), { 'A', 'B' });
        QCOMPARE(more.promptIds, expected);
        QCOMPARE(more.draftTokenCount, 6); // the four typed bytes and the two tokens
        QCOMPARE(more.sampling.seed, first.sampling.seed);
        program.engine.token(" 3", 'C');
        program.engine.end(StopReason::EndToken);
        QVERIFY(QTest::qWaitFor([&] { return !chat->activeDraft(); }));
        QCOMPARE(chat->lastAnswer()->text(), std::string("So: 1, 2, 3"));
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    QCOMPARE(chat->lastAnswer()->text(), std::string("So: 1, 2, 3"));
    QCOMPARE(chat->lastAnswer()->parts().size(), size_t(2));
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Complete);
}

void TestKeptConversations::bansSurviveARestart()
{
    QTemporaryDir folder;
    const auto readBack = [](Program& program, Conversation& chat, app::Turn*& answer) {
        answer = chat.lastAnswerTurn();
        program.workspace.readAnswerDetails(chat, *answer);
        return QTest::qWaitFor([&] { return answer->answer->hasDetails(); });
    };
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Count", "x", StopReason::LengthCap);
        QVERIFY(program.workspace.fork(chat, *chat.lastAnswerTurn(), 0, app::BanChoice { 'x', true }));
        QVERIFY(program.begun(2));
        program.engine.end(StopReason::EndToken);
        QTest::qWait(30);
        QVERIFY(program.workspace.fork(chat, *chat.lastAnswerTurn(), 0, app::BanChoice { 'q', false }));
        QVERIFY(program.begun(3));
        program.engine.token("y", 'y');
        program.engine.end(StopReason::EndToken);
        QTest::qWait(30);
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Count");
    QVERIFY(chat);
    app::Turn* answer = nullptr;
    QVERIFY(readBack(program, *chat, answer));
    const engine::GenerationRequest& request = answer->answer->parts().back()->origin().request;
    QCOMPARE(request.bannedFirstIds, (engine::TokenIds { 'q' }));
    QCOMPARE(request.sampling.bannedIds, (engine::TokenIds { 'x' }));
    QCOMPARE(chat->settings().bannedTokens.size(), size_t(1));
    QCOMPARE(chat->settings().bannedTokens[0].text, QString("x"));
    QVERIFY(program.workspace.regenerate(*chat));
    QVERIFY(program.begun(1));
    QCOMPARE(program.engine.requests.back().sampling.bannedIds, (engine::TokenIds { 'x' }));
    QVERIFY(program.engine.requests.back().bannedFirstIds.empty());
}

void TestKeptConversations::branchesAndWhichIsShownSurvive()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Hi", "one");
        QVERIFY(program.workspace.regenerate(chat));
        QVERIFY(program.begun(2));
        program.engine.token("two");
        program.engine.end(StopReason::LengthCap);
        QVERIFY(QTest::qWaitFor([&] { return !chat.activeDraft(); }));
        QVERIFY(program.workspace.editAnswer(chat, *chat.turns()[1], "three, by hand"));
        chat.showSibling(1, -2);
        program.workspace.close();
    }
    Program program(folder);
    Conversation* chat = program.open("Hi");
    QVERIFY(chat);
    QCOMPARE(chat->turns()[1]->said(), QString("one"));
    QCOMPARE(chat->tree().siblings(*chat->turns()[1]).size(), size_t(3));
    chat->showSibling(1, 1);
    QCOMPARE(chat->lastAnswer()->verdict(), Verdict::Capped);
    chat->showSibling(1, 1);
    QVERIFY(chat->lastAnswer()->isEdited());
    QCOMPARE(chat->turns()[1]->said(), QString("three, by hand"));
}

void TestKeptConversations::whatWasTypedAndNotSentSurvives()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Hi", "one");
        chat.setTypedText("half a thou");
        program.workspace.close();
    }
    Program program(folder);
    QCOMPARE(program.workspace.conversations().front()->typedText(), QString("half a thou"));
}

void TestKeptConversations::settingsOfAChatSurvive()
{
    QTemporaryDir folder;
    app::ChatSettings settings;
    settings.systemText = "Be brief.";
    settings.stopStrings = { "5, 6", "\n\n" };
    settings.lengthCap = 77;
    settings.fixedSeed = 0xFFFFFFFFFFFFFFFFull;
    settings.family = engine::TemplateFamily::Gemma;
    settings.sampling.temperature = 0.25f;
    settings.sampling.topK = 3;
    settings.ignoreEndTokens = true;
    settings.timeCapMs = 1500;
    settings.guardsAgainstRepetition = true;
    settings.contextPolicy = app::ContextPolicy::DropOldestTurns;
    settings.bannedTokens = { { 7, "5e3f", " Paris" } };
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
        program.converse(chat, "Hi", "one");
        chat.setSettings(settings);
        program.workspace.close();
    }
    Program program(folder);
    QCOMPARE(program.workspace.conversations().front()->settings(), settings);
}

void TestKeptConversations::aRemovedConversationIsReallyGone()
{
    QTemporaryDir folder;
    Program program(folder);
    Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
    program.converse(chat, "Hi", "a very private matter");
    QVERIFY(program.storage.flush(5000));
    QVERIFY(holds(folder, "a very private matter"));
    program.workspace.removeConversation(chat);
    program.workspace.restoreConversation(chat); // until the purge it is all there
    QCOMPARE(chat.turnCount(), size_t(2));
    program.workspace.removeConversation(chat);
    program.workspace.purgeRemoved();
    QVERIFY(program.storage.flush(5000));
    QVERIFY(!holds(folder, "a very private matter"));
}

void TestKeptConversations::aPrivateChatNeverTouchesTheDisk()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& chat = program.workspace.addConversation(ConversationKind::Chat, true);
        program.converse(chat, "What nobody knows", "and nobody will");
        chat.setTypedText("not even this");
        QVERIFY(program.workspace.continueAnswer(chat) == false);
        QTest::qWait(700); // longer than rows wait
        QVERIFY(program.storage.flush(5000));
        for (const char* text : { "What nobody knows", "and nobody will", "not even this" })
            QVERIFY(!holds(folder, text));
        program.workspace.close();
    }
    for (const char* text : { "What nobody knows", "and nobody will", "not even this" })
        QVERIFY(!holds(folder, text));
}

void TestKeptConversations::aPageOfPlainTextSurvives()
{
    QTemporaryDir folder;
    {
        Program program(folder);
        Conversation& page = program.workspace.addConversation(ConversationKind::PlainText);
        page.setDocument("The exhibition");
        QVERIFY(program.workspace.writeOn(page, 14));
        QVERIFY(program.begun(1));
        program.engine.token(" opens");
        program.engine.end(StopReason::LengthCap);
        QVERIFY(QTest::qWaitFor([&] { return !page.activeDraft(); }));
        program.workspace.close();
    }
    Program program(folder);
    Conversation* page = program.open("The exhibition opens");
    QVERIFY(page);
    QCOMPARE(page->kind(), ConversationKind::PlainText);
    QCOMPARE(page->document(), QString("The exhibition opens"));
}

void TestKeptConversations::stoppingARunThatWaitsForTheDiskStopsIt()
{
    QTemporaryDir folder;
    Program program(folder);
    Conversation& chat = program.workspace.addConversation(ConversationKind::Chat);
    QVERIFY(program.workspace.send(chat, "Hi"));
    program.workspace.stop(chat); // before the engine knows of it
    QVERIFY(program.begun(1));
    QVERIFY(QTest::qWaitFor([&] { return !program.engine.cancelled.empty(); }));
    QCOMPARE(program.engine.cancelled.back(), program.engine.requests.back().runId);
}

QTEST_GUILESS_MAIN(TestKeptConversations)
#include "tst_kept_conversations.moc"
