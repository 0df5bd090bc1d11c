#include "app/conversation/workspace.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::ConversationKind;
using app::Problem;
using engine::StopReason;

namespace {

/// A workspace with a loaded fake model and one chat.
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(ConversationKind::Chat);

    void load(int contextLength = 0)
    {
        workspace.loadModel({ .path = "tiny.gguf", .contextLength = contextLength });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
    void settle() { QTest::qWait(30); }
    std::string prompt() const { return chat.lastDraft()->origin().promptText; }
};

constexpr const char* kAlternating
    = "{% for message in messages %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}"
      "{{ raise_exception('Roles must alternate') }}{% endif %}[{{ message.role }}]{{ "
      "message.content }}{% endfor %}";

}

class TestWorkspace : public QObject {
    Q_OBJECT
private slots:
    void answersAreDataOfTheNextPrompt();
    void controlTextOfAnAnswerStaysText();
    void withoutAModelNothingIsAddedAndWordsSayWhy();
    void aTemplateThatRefusesIsToldInItsOwnWords();
    void aPromptThatIsTooLongIsToldWithBothNumbers();
    void aFailedAnswerDoesNotDeadEndTheChat();
    void aModelWithoutTemplateIsToldBeforeTheFirstMessage();
    void randomSeedsAreDrawnAndRecorded();
    void aFixedSeedIsUsed();
    void regeneratingKeepsTheEarlierAnswer();
    void plainTextIsWrittenAtTheCaret();
    void stoppingAsksForTheRunOfThisConversation();
    void aFailedLoadIsAProblemInWords();
    void aCancelledLoadIsNoProblem();
};

void TestWorkspace::answersAreDataOfTheNextPrompt()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    QCOMPARE(room.prompt(), std::string("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"));
    room.engine.token("Hello");
    room.engine.end(StopReason::EndToken);
    room.settle();
    QVERIFY(room.workspace.send(room.chat, "More"));
    QVERIFY(room.prompt().find("assistant\nHello<|im_end|>\n<|im_start|>user\nMore<|im_end|>")
        != std::string::npos);
}

void TestWorkspace::controlTextOfAnAnswerStaysText()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "<|im_end|>"));
    const engine::TokenIds& ids = room.engine.requests.back().promptIds;
    // The template writes one end and two starts; what was typed is ten bytes.
    QCOMPARE(std::count(ids.begin(), ids.end(), tests::FakeEngine::kEnd), 1);
    QCOMPARE(std::count(ids.begin(), ids.end(), tests::FakeEngine::kStart), 2);
}

void TestWorkspace::withoutAModelNothingIsAddedAndWordsSayWhy()
{
    Room room;
    QVERIFY(!room.workspace.send(room.chat, "Hi"));
    QCOMPARE(room.chat.turnCount(), size_t(0));
    QVERIFY(room.chat.problem());
    QCOMPARE(room.chat.problem()->kind, Problem::Kind::NoModel);
    room.load();
    QVERIFY(!room.chat.problem());
}

void TestWorkspace::aTemplateThatRefusesIsToldInItsOwnWords()
{
    Room room;
    room.engine.offer.ownSource = "{{ raise_exception('Only questions about tea') }}";
    room.load();
    QVERIFY(!room.workspace.send(room.chat, "Hi"));
    QCOMPARE(room.chat.turnCount(), size_t(0));
    QVERIFY(room.chat.problem()->message.contains("Only questions about tea"));
}

void TestWorkspace::aPromptThatIsTooLongIsToldWithBothNumbers()
{
    Room room;
    room.load(64);
    QVERIFY(!room.workspace.send(room.chat, QString(100, 'x')));
    QCOMPARE(room.chat.turnCount(), size_t(0));
    QVERIFY(room.chat.problem()->message.contains("64"));
    QVERIFY(room.chat.problem()->message.contains("119")); // 100 bytes and the template's 19 tokens
    QVERIFY(room.engine.requests.empty());
}

void TestWorkspace::aFailedAnswerDoesNotDeadEndTheChat()
{
    Room room;
    room.engine.offer.ownSource = kAlternating;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "First"));
    room.engine.end(StopReason::Failed,
        [](engine::RunEnded& end) { end.ledger.error = engine::Error::deviceLost("gone"); });
    room.settle();
    QVERIFY(room.workspace.send(room.chat, "Second"));
    QCOMPARE(room.prompt(), std::string("[user]First\n\nSecond"));
}

void TestWorkspace::aModelWithoutTemplateIsToldBeforeTheFirstMessage()
{
    Room room;
    room.engine.offer = { std::nullopt, "The file has no chat template.", {} };
    room.load();
    QVERIFY(room.chat.problem());
    QCOMPARE(room.chat.problem()->kind, Problem::Kind::TemplateUnusable);
    QVERIFY(room.chat.problem()->message.contains("no chat template"));
    QVERIFY(!room.workspace.send(room.chat, "Hi"));
    app::ChatSettings settings = room.chat.settings();
    settings.family = engine::TemplateFamily::ChatML;
    room.chat.setSettings(settings);
    QVERIFY(!room.chat.problem());
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    QCOMPARE(room.chat.lastDraft()->origin().templateName, std::string("ChatML (chosen)"));
}

void TestWorkspace::randomSeedsAreDrawnAndRecorded()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    const quint64 first = room.engine.requests.back().sampling.seed;
    QCOMPARE(quint64(room.chat.lastDraft()->origin().request.sampling.seed), first);
    room.engine.end(StopReason::EndToken);
    room.settle();
    QVERIFY(room.workspace.regenerate(room.chat));
    QVERIFY(room.engine.requests.back().sampling.seed != first); // equal once in 2^32
}

void TestWorkspace::aFixedSeedIsUsed()
{
    Room room;
    room.load();
    app::ChatSettings settings = room.chat.settings();
    settings.fixedSeed = 42;
    settings.stopStrings = { "5, 6" };
    settings.lengthCap = 7;
    room.chat.setSettings(settings);
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    QCOMPARE(quint64(room.engine.requests.back().sampling.seed), quint64(42));
    QCOMPARE(room.engine.requests.back().stopStrings, std::vector<std::string>({ "5, 6" }));
    QCOMPARE(room.engine.requests.back().lengthCap, 7);
}

void TestWorkspace::regeneratingKeepsTheEarlierAnswer()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    room.engine.token("one");
    room.engine.end(StopReason::EndToken);
    room.settle();
    const engine::TokenIds prompt = room.engine.requests.back().promptIds;
    QVERIFY(room.workspace.regenerate(room.chat));
    QCOMPARE(room.engine.requests.back().promptIds, prompt);
    room.engine.token("two");
    room.engine.end(StopReason::EndToken);
    room.settle();
    QCOMPARE(room.chat.turnCount(), size_t(2));
    QCOMPARE(room.chat.turns()[1].drafts.size(), size_t(2));
    QCOMPARE(room.chat.lastDraft()->text(), std::string("two"));
    room.chat.showSibling(1, 0);
    QCOMPARE(room.chat.lastDraft()->text(), std::string("one"));
}

void TestWorkspace::plainTextIsWrittenAtTheCaret()
{
    Room room;
    room.load();
    app::Conversation& page = room.workspace.addConversation(ConversationKind::PlainText);
    page.setDocument("The exhibition. The end.");
    QVERIFY(room.workspace.writeOn(page, 14));
    QCOMPARE(room.engine.requests.back().promptIds.size(), size_t(14)); // the bytes, no template
    room.engine.token(" opens");
    room.engine.token(" on");
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QCOMPARE(page.document(), QString("The exhibition opens on. The end."));
}

void TestWorkspace::stoppingAsksForTheRunOfThisConversation()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    app::Conversation& other = room.workspace.addConversation(ConversationKind::Chat);
    QVERIFY(room.workspace.send(other, "Ho"));
    room.workspace.stop(room.chat);
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId>({ room.chat.lastDraft()->runId() }));
    QVERIFY(room.chat.lastDraft()->isPartial()); // asked for is not done
    QVERIFY(room.chat.activeDraft());
}

void TestWorkspace::aFailedLoadIsAProblemInWords()
{
    Room room;
    room.workspace.loadModel({ .path = "/models/bad.gguf" });
    room.engine.failLoad(engine::Error::unsupported("architecture mamba is not supported"));
    room.settle();
    QCOMPARE(room.workspace.modelState(), app::ModelState::None);
    QVERIFY(room.workspace.modelProblem()->title.contains("bad.gguf"));
    QVERIFY(room.workspace.modelProblem()->message.contains("mamba"));
}

void TestWorkspace::aCancelledLoadIsNoProblem()
{
    Room room;
    room.workspace.loadModel({ .path = "/models/large.gguf" });
    room.workspace.cancelLoad();
    room.settle();
    QCOMPARE(room.engine.cancelledLoads, 1);
    QCOMPARE(room.workspace.modelState(), app::ModelState::None);
    QVERIFY(!room.workspace.modelProblem());
}

QTEST_GUILESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
