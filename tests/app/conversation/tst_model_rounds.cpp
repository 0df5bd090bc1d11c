#include "app/conversation/model_rounds.h"
#include "app/conversation/run_variants.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

using app::GridCell;
using app::ModelRounds;
using engine::StopReason;

namespace {

/// A workspace with the model "tiny" loaded, a chat and one answer in it.
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(app::ConversationKind::Chat);
    ModelRounds rounds { workspace };
    QSignalSpy ended { &rounds, &ModelRounds::ended };

    Room()
    {
        workspace.loadModel({ .path = "/m/tiny.gguf", .deviceUuid = "device", .contextLength = 512 });
        engine.finishLoad();
        settle();
        if (!workspace.send(chat, "Count"))
            qFatal("not sent");
        engine.token("1, 2");
        engine.end(StopReason::LengthCap);
        settle();
    }
    void settle() { QTest::qWait(30); }
    app::Turn& answer() { return *chat.lastAnswerTurn(); }
    bool begin(const QStringList& paths)
    {
        const bool begins = rounds.begin(chat, answer(), *app::modelVariants(chat.settings(), paths));
        settle();
        return begins;
    }
    const GridCell& cell(size_t index) const { return rounds.cells()[index]; }
    const app::Draft& draft(size_t index) { return *chat.findTurn(cell(index).answer)->draft(); }
    void finishLoad()
    {
        engine.finishLoad();
        settle();
    }
    void write(const std::string& text, StopReason reason = StopReason::EndToken)
    {
        engine.token(text);
        engine.end(reason);
        settle();
    }
    QStringList states() const
    {
        QStringList states;
        for (const GridCell& cell : rounds.cells())
            states.append(cell.state);
        return states;
    }
    std::vector<std::string> loadedPaths() const
    {
        std::vector<std::string> paths;
        for (const engine::ModelLoadRequest& load : engine.loads)
            paths.push_back(load.path);
        return paths;
    }
};

}

class TestModelRounds : public QObject {
    Q_OBJECT
private slots:
    void eachModelWritesAndTheFirstIsLoadedAgain();
    void aModelThatCannotBeLoadedSaysWhyAndTheNextGoesOn();
    void aLoadThatIsStoppedLeavesTheRest();
    void whatAModelCannotFormatIsAProblemOfItsCell();
    void stoppingEndsTheRestAndRestores();
    void stoppedWhileAModelLoadsItRestoresAtOnce();
    void oneCellIsGivenUpByItself();
    void meanwhileOthersAreRefusedAndNothingTypedIsLost();
    void aPersonWhoLoadsAnotherModelEndsItAndKeepsThatModel();
    void anotherBranchStaysTheShownOne();
    void theProgramMayEndMeanwhile();
    void aConversationThatIsRemovedEndsIt();
    void itDoesNotBeginWhileSomethingIsWritten();
    void withoutAModelAtFirstTheLastOneStays();
};

void TestModelRounds::eachModelWritesAndTheFirstIsLoadedAgain()
{
    Room room;
    QVERIFY(room.rounds.begin(
        room.chat, room.answer(), *app::modelVariants(room.chat.settings(), { "/m/a.gguf", "/m/tiny.gguf" })));
    QCOMPARE(room.states(), (QStringList { "waits for the model a", "waits for the model tiny" }));
    QVERIFY(room.cell(0).isToCome && room.cell(1).isToCome);
    QVERIFY(room.workspace.isModelHeld());
    room.settle();
    // What is loaded needs no load: it goes first, whatever its column.
    QCOMPARE(room.engine.loads.size(), size_t(1));
    QVERIFY(room.cell(1).answer != 0);
    QCOMPARE(room.states(), (QStringList { "waits for the model a", "" }));
    room.write("one");
    QCOMPARE(room.draft(1).text(), std::string("one"));

    QCOMPARE(room.loadedPaths(), (std::vector<std::string> { "/m/tiny.gguf", "/m/a.gguf" }));
    QCOMPARE(room.engine.loads.back().deviceUuid, std::string("device"));
    QCOMPARE(room.engine.loads.back().contextLength, 512);
    QCOMPARE(room.cell(0).state, QString("loading"));
    room.engine.loadProgress("reading weights", 2, 5);
    room.settle();
    QCOMPARE(room.cell(0).state, QString("loading: reading weights, 40 %"));
    // Its own template writes the prompt.
    room.engine.offer = { "[{{ messages[0].content }}]", {}, {} };
    room.finishLoad();
    QCOMPARE(room.draft(0).origin().promptText, std::string("[Count]"));
    QCOMPARE(room.draft(0).origin().checkpointFile, std::string("a.gguf"));
    QVERIFY(room.cell(0).state.isEmpty());
    room.engine.token("tw");
    room.settle();
    QCOMPARE(room.draft(0).text(), std::string("tw"));
    QVERIFY(room.rounds.isUnderWay());
    room.engine.token("o");
    room.engine.end(StopReason::EndToken);
    room.settle();

    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.ended.size(), 1);
    QCOMPARE(room.engine.loads.back(), room.engine.loads.front());
    QVERIFY(!room.workspace.isModelHeld());
    room.finishLoad();
    QCOMPARE(room.workspace.model()->description.path, std::string("/m/tiny.gguf"));
    const std::string id = app::gridPlaceOf(*room.chat.findTurn(room.cell(0).answer))->id;
    QCOMPARE(app::turnsOfGrid(room.chat, id).size(), size_t(3)); // with the one asked about
    QCOMPARE(room.answer().answer->text(), std::string("1, 2")); // which is shown
}

void TestModelRounds::aModelThatCannotBeLoadedSaysWhyAndTheNextGoesOn()
{
    Room room;
    QVERIFY(room.begin({ "/m/bad.gguf", "/m/good.gguf" }));
    room.engine.failLoad(engine::Error::badFile("tensor 3 is cut off"));
    room.settle();
    QVERIFY(room.cell(0).problem);
    QCOMPARE(room.cell(0).problem->title, QString("bad.gguf could not be loaded"));
    QCOMPARE(room.cell(0).problem->message, QString("tensor 3 is cut off"));
    QVERIFY(!room.cell(0).isToCome);
    QCOMPARE(room.engine.loads.back().path, std::string("/m/good.gguf"));
    room.finishLoad();
    room.write("fine");
    QCOMPARE(room.draft(1).text(), std::string("fine"));
    QCOMPARE(room.engine.loads.back().path, std::string("/m/tiny.gguf"));
    room.finishLoad();
    QVERIFY(!room.workspace.modelProblem()); // the window does not go on about it
}

void TestModelRounds::aLoadThatIsStoppedLeavesTheRest()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.workspace.cancelLoad(); // in the settings
    room.settle();
    QCOMPARE(room.cell(0).problem->message, QString("The loading of this model was stopped."));
    QCOMPARE(room.engine.loads.back().path, std::string("/m/b.gguf"));
}

void TestModelRounds::whatAModelCannotFormatIsAProblemOfItsCell()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.engine.offer = { {}, "The file has no chat template.", {} };
    room.finishLoad();
    QVERIFY(room.cell(0).problem);
    QVERIFY(room.cell(0).problem->message.contains("no chat template"));
    QCOMPARE(room.engine.loads.back().path, std::string("/m/b.gguf"));
    room.engine.offer = tests::FakeEngine::chatMl();
    room.finishLoad();
    QVERIFY(room.cell(1).answer != 0);
    QVERIFY(!room.chat.problem());
}

void TestModelRounds::stoppingEndsTheRestAndRestores()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.finishLoad();
    room.engine.token("half");
    room.settle();
    room.rounds.stop();
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId> { room.draft(0).runId() });
    QCOMPARE(room.cell(1).state, QString("not begun: stopped by you"));
    QVERIFY(!room.cell(1).isToCome);
    room.engine.end(StopReason::Cancelled);
    room.settle();
    QCOMPARE(room.draft(0).text(), std::string("half"));
    QCOMPARE(room.loadedPaths(), (std::vector<std::string> { "/m/tiny.gguf", "/m/a.gguf", "/m/tiny.gguf" }));
    QVERIFY(!room.rounds.isUnderWay());
}

void TestModelRounds::stoppedWhileAModelLoadsItRestoresAtOnce()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.rounds.stop();
    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.engine.loads.back().path, std::string("/m/tiny.gguf"));
    room.finishLoad();
    QCOMPARE(room.workspace.modelState(), app::ModelState::Ready);
    QVERIFY(room.engine.cancelled.empty());
    QCOMPARE(room.engine.requests.size(), size_t(1));
}

void TestModelRounds::oneCellIsGivenUpByItself()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf", "/m/c.gguf" }));
    room.rounds.stop(1);
    room.rounds.stop(0); // which is loaded for
    room.settle();
    QCOMPARE(room.loadedPaths(), (std::vector<std::string> { "/m/tiny.gguf", "/m/a.gguf", "/m/c.gguf" }));
    room.finishLoad();
    room.rounds.stop(2); // which writes
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId> { room.draft(2).runId() });
    room.engine.end(StopReason::Cancelled);
    room.settle();
    QVERIFY(!room.rounds.isUnderWay());
}

void TestModelRounds::meanwhileOthersAreRefusedAndNothingTypedIsLost()
{
    Room room;
    app::Conversation& other = room.workspace.addConversation(app::ConversationKind::Chat);
    other.setTypedText("Hello");
    QVERIFY(room.begin({ "/m/a.gguf" }));
    QVERIFY(!room.workspace.send(other, "Hello"));
    QCOMPARE(other.problem()->title, QString("Models are being compared"));
    room.finishLoad(); // now a model is ready, but not theirs
    QVERIFY(!room.workspace.send(other, "Hello"));
    QVERIFY(other.problem()->message.contains("What you typed is kept"));
    QCOMPARE(other.turnCount(), size_t(0));
    QCOMPARE(other.typedText(), QString("Hello"));
    room.write("done");
    QVERIFY(!other.problem());
    room.finishLoad();
    QVERIFY(room.workspace.send(other, "Hello"));
    QCOMPARE(other.lastDraft()->origin().checkpointFile, std::string("tiny.gguf"));
}

void TestModelRounds::aPersonWhoLoadsAnotherModelEndsItAndKeepsThatModel()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.workspace.loadModel({ .path = "/m/mine.gguf" });
    room.settle();
    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.cell(1).state, QString("not begun: another model was loaded meanwhile"));
    room.finishLoad();
    QCOMPARE(room.engine.loads.back().path, std::string("/m/mine.gguf"));
    QCOMPARE(room.workspace.model()->description.path, std::string("/m/mine.gguf"));
    QCOMPARE(room.engine.requests.size(), size_t(1));
}

void TestModelRounds::anotherBranchStaysTheShownOne()
{
    Room room;
    app::Turn& asked = room.answer();
    QVERIFY(room.workspace.editAnswer(room.chat, asked, "mine"));
    QVERIFY(room.chat.lastAnswerTurn() != &asked);
    QVERIFY(room.rounds.begin(room.chat, asked, *app::modelVariants(room.chat.settings(), { "/m/a.gguf" })));
    room.settle();
    room.finishLoad();
    QVERIFY(room.cell(0).answer != 0);
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("mine"));
}

void TestModelRounds::theProgramMayEndMeanwhile()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.workspace.close();
    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.engine.loads.size(), size_t(2)); // nothing is restored
}

void TestModelRounds::aConversationThatIsRemovedEndsIt()
{
    Room room;
    QVERIFY(room.begin({ "/m/a.gguf", "/m/b.gguf" }));
    room.finishLoad();
    room.workspace.removeConversation(room.chat);
    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.engine.loads.back().path, std::string("/m/tiny.gguf"));
    QVERIFY(!room.workspace.isModelHeld());
}

void TestModelRounds::itDoesNotBeginWhileSomethingIsWritten()
{
    Room room;
    app::Conversation& other = room.workspace.addConversation(app::ConversationKind::Chat);
    QVERIFY(room.workspace.send(other, "Hi"));
    QVERIFY(!room.begin({ "/m/a.gguf" }));
    QVERIFY(room.chat.problem()->message.contains("is being written"));
    room.write("hello");
    QVERIFY(room.begin({ "/m/a.gguf" }));
    QVERIFY(!room.begin({ "/m/b.gguf" }));
    QVERIFY(room.chat.problem()->message.contains("already"));
}

void TestModelRounds::withoutAModelAtFirstTheLastOneStays()
{
    Room room;
    room.workspace.unloadModel();
    room.settle();
    QVERIFY(room.begin({ "/m/tiny.gguf" }));
    QCOMPARE(room.engine.loads.size(), size_t(2));
    room.finishLoad();
    room.write("again");
    QVERIFY(!room.rounds.isUnderWay());
    QCOMPARE(room.engine.loads.size(), size_t(2));
    QCOMPARE(room.workspace.modelState(), app::ModelState::Ready);
}

QTEST_MAIN(TestModelRounds)
#include "tst_model_rounds.moc"
