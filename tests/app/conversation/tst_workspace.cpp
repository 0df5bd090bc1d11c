#include "app/conversation/workspace.h"
#include "tests/support/fake_engine.h"

#include <QTest>
#include <QTimer>

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
    void converse(const QString& question, const std::string& answer,
        StopReason reason = StopReason::EndToken)
    {
        QVERIFY(workspace.send(chat, question));
        engine.token(answer);
        engine.end(reason);
        settle();
    }
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
    void anAnswerUnderWayPausesAndGoesOn();
    void regeneratingKeepsTheEarlierAnswer();
    void regeneratingAnEarlierAnswerStartsABranchThere();
    void continuingGoesOnFromTheIdsWithTheSameSeed();
    void aForkKeepsTheTokensBeforeItAndTheOldBranch();
    void aForkMayGoOnWithATypedText();
    void aTokenMayBeBannedInOneStep();
    void aTokenMayBeBannedInAChat();
    void aForkOfAnotherModelIsRefusedByName();
    void continuingByAnotherModelIsRefusedByName();
    void aCompleteAnswerIsNotContinued();
    void whatAPersonBeginsIsTheDraftTheModelGoesOnFrom();
    void editingAMessageAsksAnewBesideTheOldBranch();
    void anEditedAnswerIsWhatTheNextPromptHolds();
    void anEditedAnswerCanBeContinued();
    void aRemovedTurnComesBackUntilThePurge();
    void aRemovedConversationComesBackUntilThePurge();
    void closingCancelsWhatRuns();
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

void TestWorkspace::anAnswerUnderWayPausesAndGoesOn()
{
    Room room;
    room.load();
    room.workspace.pause(room.chat); // nothing is under way
    QVERIFY(room.engine.paused.empty());
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    room.engine.token("H");
    room.workspace.resume(room.chat, {}); // it does not pause
    QVERIFY(room.engine.resumed.empty());
    room.workspace.pause(room.chat);
    QCOMPARE(room.engine.paused, (std::vector { room.engine.requests.back().runId }));
    room.engine.pause(engine::PauseCause::Asked);
    room.settle();
    QCOMPARE(room.chat.lastDraft()->state(), app::DraftState::Paused);
    engine::Pace pace;
    pace.tokens = 1;
    pace.forcedIds = { 'i' };
    room.workspace.resume(room.chat, pace);
    QCOMPARE(room.engine.resumed.size(), size_t(1));
    QVERIFY(room.engine.resumed[0].second == pace);
    room.engine.resume();
    room.engine.token("i");
    room.engine.end(StopReason::EndToken);
    room.settle();
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("Hi"));
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
    QCOMPARE(room.chat.tree().siblings(*room.chat.turns()[1]).size(), size_t(2));
    QCOMPARE(room.chat.lastDraft()->text(), std::string("two"));
    room.chat.showSibling(1, -1);
    QCOMPARE(room.chat.lastDraft()->text(), std::string("one"));
}

void TestWorkspace::regeneratingAnEarlierAnswerStartsABranchThere()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    const engine::TokenIds firstPrompt = room.engine.requests.back().promptIds;
    room.converse("More", "two");
    QVERIFY(room.workspace.regenerate(room.chat, room.chat.turns()[1]));
    QCOMPARE(room.engine.requests.back().promptIds, firstPrompt);
    QCOMPARE(room.chat.turnCount(), size_t(2));
    room.engine.end(StopReason::EndToken);
    room.settle();
    room.chat.showSibling(1, -1);
    QCOMPARE(room.chat.turnCount(), size_t(4));
    QCOMPARE(room.chat.turns()[3]->said(), QString("two"));
}

void TestWorkspace::continuingGoesOnFromTheIdsWithTheSameSeed()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    const engine::GenerationRequest first = room.engine.requests.back();
    room.engine.token("A", 'A');
    room.engine.token("B", 'B');
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QVERIFY(room.workspace.continueAnswer(room.chat, nullptr, 44));
    const engine::GenerationRequest& more = room.engine.requests.back();
    engine::TokenIds expected = first.promptIds;
    expected.insert(expected.end(), { 'A', 'B' });
    QCOMPARE(more.promptIds, expected);
    QCOMPARE(more.draftTokenCount, 2);
    QCOMPARE(more.lengthCap, 44);
    QCOMPARE(more.sampling.seed, first.sampling.seed);
    QCOMPARE(room.chat.turnCount(), size_t(2)); // in place
    QCOMPARE(room.chat.lastAnswer()->verdict(), engine::Verdict::Partial);
    room.engine.token("C", 'C');
    room.engine.end(StopReason::EndToken);
    room.settle();
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("ABC"));
    QCOMPARE(room.chat.lastAnswer()->verdict(), engine::Verdict::Complete);
}

void TestWorkspace::aForkKeepsTheTokensBeforeItAndTheOldBranch()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    const engine::GenerationRequest first = room.engine.requests.back();
    for (const char letter : { 'A', 'B', 'C' })
        room.engine.token(std::string(1, letter), letter);
    room.engine.end(StopReason::EndToken);
    room.settle();
    app::Turn* old = room.chat.lastAnswerTurn();
    QVERIFY(room.workspace.fork(room.chat, *old, 1, engine::TokenId('X')));
    const engine::GenerationRequest& fork = room.engine.requests.back();
    engine::TokenIds expected = first.promptIds;
    expected.push_back('A');
    QCOMPARE(fork.promptIds, expected);
    QCOMPARE(fork.draftTokenCount, 1);
    QCOMPARE(fork.forcedIds, (engine::TokenIds { 'X' }));
    QCOMPARE(fork.sampling.seed, first.sampling.seed);
    QCOMPARE(room.chat.lastDraft()->origin().kept, old->answer->keptTokens(1));
    QVERIFY(room.chat.lastAnswerTurn() != old);
    QCOMPARE(room.chat.tree().siblings(*old).size(), size_t(2));
    QCOMPARE(old->answer->text(), std::string("ABC"));
    room.engine.token("X", 'X');
    room.engine.token("Y", 'Y');
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("AXY"));
    // A fork of the fork counts its tokens from the start of the answer, and so does one at the end.
    QVERIFY(room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 3, engine::TokenId('Z')));
    QCOMPARE(room.engine.requests.back().draftTokenCount, 3);
    room.engine.end(StopReason::Cancelled);
    room.settle();
    QVERIFY(!room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 99, engine::TokenId('Z')));
    QVERIFY(!room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 0, engine::TokenId(100'000)));
}

void TestWorkspace::aForkMayGoOnWithATypedText()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    room.engine.token("A", 'A');
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QVERIFY(!room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 1, QString()));
    QVERIFY(room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 1, QString("no")));
    QCOMPARE(room.engine.requests.back().forcedIds, (engine::TokenIds { 'n', 'o' }));
    QCOMPARE(room.chat.lastAnswer()->opening().text, std::string("A"));
    QCOMPARE(room.chat.lastAnswer()->notSampledCount(), 0); // until the forced ones have come
}

void TestWorkspace::aTokenMayBeBannedInOneStep()
{
    Room room;
    room.load();
    room.converse("Hi", "A", StopReason::LengthCap);
    const app::Turn* old = room.chat.lastAnswerTurn();
    const uint64_t seed = room.engine.requests.back().sampling.seed;
    QVERIFY(room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 0, app::BanChoice { 'A', false }));
    const engine::GenerationRequest& fork = room.engine.requests.back();
    QCOMPARE(fork.bannedFirstIds, (engine::TokenIds { 'A' }));
    QVERIFY(fork.forcedIds.empty() && fork.sampling.bannedIds.empty());
    QCOMPARE(fork.sampling.seed, seed);
    QVERIFY(room.chat.lastAnswerTurn() != old);
    QVERIFY(room.chat.settings().bannedTokens.empty());
    room.engine.end(StopReason::EndToken);
    room.settle();
    QVERIFY(!room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 0, app::BanChoice { 100'000, true }));
}

void TestWorkspace::aTokenMayBeBannedInAChat()
{
    Room room;
    room.load();
    room.converse("Hi", "A", StopReason::LengthCap);
    for (const engine::TokenId id : { engine::TokenId('A'), engine::TokenId('A'), tests::FakeEngine::kEnd }) {
        QVERIFY(room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 0, app::BanChoice { id, true }));
        QVERIFY(room.engine.requests.back().bannedFirstIds.empty());
        room.engine.end(StopReason::EndToken);
        room.settle();
    }
    const engine::TokenIds both { 'A', tests::FakeEngine::kEnd };
    QCOMPARE(room.engine.requests.back().sampling.bannedIds, both);
    const app::ChatSettings settings = room.chat.settings();
    QCOMPARE(settings.bannedTokens.size(), size_t(2)); // once each
    QCOMPARE(settings.bannedTokens[0].text, QString("A"));
    QCOMPARE(settings.bannedTokens[1].text, QString("<|im_end|>"));
    QCOMPARE(settings.bannedTokens[0].vocabularySha256, room.workspace.vocabularyHash());
    QVERIFY(!room.workspace.vocabularyHash().isEmpty());
    // Under another vocabulary the same numbers mean other tokens.
    app::ChatSettings foreign = settings;
    foreign.bannedTokens[0].vocabularySha256 = "another";
    room.chat.setSettings(foreign);
    QVERIFY(room.workspace.regenerate(room.chat));
    QCOMPARE(room.engine.requests.back().sampling.bannedIds, (engine::TokenIds { tests::FakeEngine::kEnd }));
}

void TestWorkspace::aForkOfAnotherModelIsRefusedByName()
{
    Room room;
    room.load();
    room.converse("Hi", "A", StopReason::LengthCap);
    room.workspace.loadModel({ .path = "other.gguf" });
    room.engine.finishLoad();
    room.settle();
    QVERIFY(!room.workspace.fork(room.chat, *room.chat.lastAnswerTurn(), 0, engine::TokenId('x')));
    QVERIFY(room.chat.problem());
    QVERIFY(room.chat.problem()->message.contains("tiny.gguf"));
}

void TestWorkspace::continuingByAnotherModelIsRefusedByName()
{
    Room room;
    room.load();
    room.converse("Hi", "one", StopReason::LengthCap);
    room.workspace.loadModel({ .path = "other.gguf" });
    room.engine.finishLoad();
    room.settle();
    QVERIFY(!room.workspace.continueAnswer(room.chat));
    QVERIFY(room.chat.problem());
    QVERIFY(room.chat.problem()->message.contains("tiny.gguf"));
    QCOMPARE(room.engine.requests.size(), size_t(1));
}

void TestWorkspace::aCompleteAnswerIsNotContinued()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    QVERIFY(!room.workspace.continueAnswer(room.chat));
    QCOMPARE(room.engine.requests.size(), size_t(1));
}

void TestWorkspace::whatAPersonBeginsIsTheDraftTheModelGoesOnFrom()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi", "Dear"));
    const engine::GenerationRequest& request = room.engine.requests.back();
    QCOMPARE(request.draftTokenCount, 4);
    const size_t readTokens = request.promptIds.size();
    const engine::TokenIds tail(request.promptIds.end() - 4, request.promptIds.end());
    QCOMPARE(tail, engine::TokenIds({ 'D', 'e', 'a', 'r' }));
    room.engine.token(" Ana");
    room.engine.end(StopReason::LengthCap);
    room.settle();
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("Dear Ana"));
    QCOMPARE(room.chat.lastAnswer()->notSampledCount(), 4);
    // Continued, the opening is there once.
    QVERIFY(room.workspace.continueAnswer(room.chat));
    QCOMPARE(room.engine.requests.back().draftTokenCount, 5);
    QCOMPARE(room.engine.requests.back().promptIds.size(), readTokens + 1);
}

void TestWorkspace::editingAMessageAsksAnewBesideTheOldBranch()
{
    Room room;
    room.load();
    room.converse("My name is Ana.", "Hello Ana");
    room.converse("What is my name?", "Ana");
    QVERIFY(room.workspace.editMessage(room.chat, *room.chat.turns()[0], "My name is Bob."));
    QVERIFY(room.prompt().find("Bob") != std::string::npos);
    QVERIFY(room.prompt().find("Ana") == std::string::npos);
    room.engine.end(StopReason::EndToken);
    room.settle();
    QCOMPARE(room.chat.turnCount(), size_t(2));
    room.chat.showSibling(0, -1);
    QCOMPARE(room.chat.turnCount(), size_t(4));
    QCOMPARE(room.chat.turns()[3]->said(), QString("Ana"));
}

void TestWorkspace::anEditedAnswerIsWhatTheNextPromptHolds()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    QVERIFY(room.workspace.editAnswer(room.chat, *room.chat.turns()[1], "uno"));
    QVERIFY(room.chat.lastAnswer()->isEdited());
    QVERIFY(room.workspace.send(room.chat, "More"));
    QVERIFY(room.prompt().find("uno") != std::string::npos);
    QVERIFY(room.prompt().find("one") == std::string::npos);
    room.chat.showSibling(1, -1);
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("one")); // with its own reason
    QCOMPARE(room.chat.lastAnswer()->verdict(), engine::Verdict::Complete);
}

void TestWorkspace::anEditedAnswerCanBeContinued()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    const size_t promptTokens = room.engine.requests.back().promptIds.size();
    QVERIFY(room.workspace.editAnswer(room.chat, *room.chat.turns()[1], "uno"));
    QVERIFY(room.workspace.continueAnswer(room.chat));
    QCOMPARE(room.engine.requests.back().draftTokenCount, 3);
    QCOMPARE(room.engine.requests.back().promptIds.size(), promptTokens + 3);
    room.engine.token(", dos");
    room.engine.end(StopReason::EndToken);
    room.settle();
    QCOMPARE(room.chat.lastAnswer()->text(), std::string("uno, dos"));
}

void TestWorkspace::aRemovedTurnComesBackUntilThePurge()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    room.converse("More", "two");
    app::Turn& message = *room.chat.turns()[2];
    room.workspace.removeTurn(room.chat, message);
    QCOMPARE(room.chat.turnCount(), size_t(2));
    room.workspace.restoreTurn(room.chat, message);
    QCOMPARE(room.chat.turnCount(), size_t(4));
    room.workspace.removeTurn(room.chat, message);
    room.workspace.purgeRemoved();
    QCOMPARE(room.chat.tree().turns().size(), size_t(2));
    // A chat whose messages were removed goes on.
    room.converse("Again", "three");
    QCOMPARE(room.chat.turnCount(), size_t(4));
}

void TestWorkspace::aRemovedConversationComesBackUntilThePurge()
{
    Room room;
    room.load();
    room.converse("Hi", "one");
    room.workspace.addConversation(ConversationKind::Chat);
    room.workspace.removeConversation(room.chat);
    QCOMPARE(room.workspace.conversations().size(), size_t(1));
    QCOMPARE(room.workspace.lastRemoved(), &room.chat);
    room.workspace.restoreConversation(room.chat);
    QCOMPARE(room.workspace.conversations().size(), size_t(2));
    QCOMPARE(room.chat.turnCount(), size_t(2));
    room.workspace.removeConversation(room.chat);
    room.workspace.purgeRemoved();
    QCOMPARE(room.workspace.lastRemoved(), nullptr);
}

void TestWorkspace::closingCancelsWhatRuns()
{
    Room room;
    room.load();
    QVERIFY(room.workspace.send(room.chat, "Hi"));
    QVERIFY(room.workspace.hasActiveRuns());
    const engine::RunId run = room.chat.activeDraft()->runId();
    // The engine answers a little later, as the real one does.
    QTimer::singleShot(30, [&] {
        room.engine.end(StopReason::Cancelled,
            [](engine::RunEnded& end) { end.ledger.cancelledBy = engine::CancelledBy::Closing; });
    });
    room.workspace.close();
    QCOMPARE(room.engine.cancelled, std::vector<engine::RunId>({ run }));
    QVERIFY(!room.workspace.hasActiveRuns());
    QCOMPARE(room.chat.lastDraft()->ending()->ledger.cancelledBy,
        std::optional(engine::CancelledBy::Closing));
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
