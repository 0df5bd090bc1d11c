#include "app/conversation/prompt.h"
#include "app/conversation/stored_turns.h"
#include "app/conversation/workspace.h"
#include "app/runs/run_record.h"
#include "tests/support/fake_engine.h"

#include <QRandomGenerator>
#include <QTest>

using app::ContextPolicy;
using app::ConversationKind;
using app::Problem;
using engine::StopReason;

namespace {

/// A chat on a fake model with a small context, whose tokens are bytes.
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(ConversationKind::Chat);

    explicit Room(int contextLength, ContextPolicy policy = ContextPolicy::DropOldestTurns)
    {
        workspace.loadModel({ .path = "tiny.gguf", .contextLength = contextLength });
        engine.finishLoad();
        QCoreApplication::processEvents();
        change([policy](app::ChatSettings& settings) { settings.contextPolicy = policy; });
    }
    void change(const std::function<void(app::ChatSettings&)>& to)
    {
        app::ChatSettings settings = chat.settings();
        to(settings);
        chat.setSettings(settings);
    }
    void settle() { QTest::qWait(20); }
    void converse(const QString& question, const std::string& answer,
        StopReason reason = StopReason::EndToken)
    {
        QVERIFY(workspace.send(chat, question));
        engine.token(answer);
        engine.end(reason);
        settle();
    }
    std::string prompt() const { return chat.lastDraft()->origin().promptText; }
    int dropped() const { return chat.lastDraft()->origin().droppedTurnCount; }
    size_t promptTokens() const { return engine.requests.back().promptIds.size(); }
};

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}

class TestContextPolicy : public QObject {
    Q_OBJECT
private slots:
    void theFewestOldestTurnsAreLeftOut();
    void aSmallCapNeedsLittleRoom();
    void theSystemTextAndTheLastMessageAlwaysStay();
    void aLastMessageThatIsTooLongAloneIsToldWithBothNumbers();
    void stopAndSayLeavesNothingOut();
    void whatABeginningOfTheAnswerTakesIsCounted();
    void halvingFindsWhatGoingThroughAllFinds();
    void continuingIsNeverShortened();
    void anAnswerThatRanIntoTheEndIsToldWithWhatHelps();
    void whatWasLeftOutIsRecordedAndReadBack();
    void plainTextHasNoPolicy();
};

void TestContextPolicy::theFewestOldestTurnsAreLeftOut()
{
    Room room(144); // a quarter for the answer: 108 are left for the prompt
    room.converse("first", "one");
    QCOMPARE(room.dropped(), 0);
    room.converse("second", "two");
    QCOMPARE(
        room.dropped(), 0); // the template takes 8 of a message, 13 of an answer, 11 at the end
    room.converse("third", "three");
    room.converse("fourth", "four");
    QCOMPARE(room.dropped(), 2);
    QVERIFY(!holds(room.prompt(), "first"));
    QVERIFY(!holds(room.prompt(), "one"));
    QVERIFY(holds(room.prompt(), "second"));
    QVERIFY(holds(room.prompt(), "two"));
    QVERIFY(holds(room.prompt(), "third"));
    QVERIFY(holds(room.prompt(), "fourth"));
    QVERIFY(room.promptTokens() <= 108);
    // With the two that are missing it would not have fitted.
    const auto whole = app::formatChat(
        *room.engine.modelText(), app::promptParts(room.chat, room.chat.turnCount() - 1), 0, {});
    QVERIFY(whole && whole->ids.size() > 108);
    QCOMPARE(room.chat.turnCount(), size_t(8)); // nothing is gone from the chat
}

void TestContextPolicy::aSmallCapNeedsLittleRoom()
{
    Room room(144);
    room.change([](app::ChatSettings& settings) { settings.lengthCap = 1; });
    room.converse("first", "one");
    room.converse("second", "two");
    room.converse("third", "three");
    room.converse("4th", "four");
    QCOMPARE(room.dropped(), 0);
    QVERIFY(room.promptTokens() > 108);
    QVERIFY(room.promptTokens() < 144);
}

void TestContextPolicy::theSystemTextAndTheLastMessageAlwaysStay()
{
    Room room(100);
    room.change([](app::ChatSettings& settings) { settings.systemText = "Be brief."; });
    room.converse("first", "one");
    // Only 11 tokens are left for the answer: less than a quarter, but all that can be had.
    room.converse(QString(40, 'x'), "two");
    QCOMPARE(room.dropped(), 2);
    QCOMPARE(room.prompt(),
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n" + std::string(40, 'x')
            + "<|im_end|>\n<|im_start|>assistant\n");
}

void TestContextPolicy::aLastMessageThatIsTooLongAloneIsToldWithBothNumbers()
{
    Room room(100);
    room.converse("first", "one");
    QVERIFY(!room.workspace.send(room.chat, QString(81, 'x')));
    QCOMPARE(room.chat.turnCount(), size_t(2));
    QVERIFY(room.chat.problem());
    QCOMPARE(room.chat.problem()->kind, Problem::Kind::ContextFull);
    QVERIFY(room.chat.problem()->message.contains(" 100")); // 81 and the template's 19
    QVERIFY(room.chat.problem()->message.contains("holds 100"));
    QVERIFY(room.workspace.send(room.chat, QString(80, 'x')));
    QCOMPARE(room.promptTokens(), size_t(99));
}

void TestContextPolicy::stopAndSayLeavesNothingOut()
{
    Room room(80, ContextPolicy::StopAndSay);
    room.converse("first", "one");
    room.converse("second", "two");
    QVERIFY(!room.workspace.send(room.chat, "third"));
    QCOMPARE(room.chat.problem()->kind, Problem::Kind::ContextFull);
    QCOMPARE(room.chat.turnCount(), size_t(4));
    QCOMPARE(room.engine.requests.size(), size_t(2));
    room.change([](auto& settings) { settings.contextPolicy = ContextPolicy::DropOldestTurns; });
    QVERIFY(room.workspace.send(room.chat, "third"));
    QVERIFY(!room.chat.problem());
}

void TestContextPolicy::whatABeginningOfTheAnswerTakesIsCounted()
{
    Room room(100);
    room.converse("first", "one");
    QVERIFY(room.workspace.send(room.chat, "second", QString(25, 'b')));
    QCOMPARE(room.dropped(), 2);
    QCOMPARE(room.promptTokens(), size_t(19 + 6 + 25));
}

void TestContextPolicy::halvingFindsWhatGoingThroughAllFinds()
{
    constexpr quint32 kSeed = 20261130;
    QRandomGenerator random(kSeed);
    for (int round = 0; round < 40; ++round) {
        Room room(8192, ContextPolicy::StopAndSay);
        const int exchangeCount = random.bounded(1, 6);
        for (int i = 0; i < exchangeCount; ++i)
            room.converse(QString(random.bounded(1, 40), 'q'), std::string(random.bounded(40), 'a'),
                random.bounded(4) == 0 ? StopReason::Cancelled : StopReason::EndToken);
        room.change(
            [](auto& settings) { settings.contextPolicy = ContextPolicy::DropOldestTurns; });
        const app::PromptRoom space { size_t(random.bounded(40, 400)), size_t(random.bounded(9)),
            size_t(random.bounded(1, 100)) };
        const size_t wished
            = std::max<size_t>(1, std::min(space.lengthCap, space.contextLength / 4));
        const app::PromptParts parts
            = app::promptParts(room.chat, room.chat.turnCount(), "the last one");
        const auto text = room.engine.modelText();
        const auto shortened = app::formatToFit(*text, parts, space, {});
        QVERIFY(shortened);
        for (size_t first = 0;; first += 2) {
            const auto tried = app::formatChat(*text, parts, first, {});
            QVERIFY(tried);
            if (tried->ids.size() + space.draftTokenCount + wished > space.contextLength
                && first < room.chat.turnCount())
                continue;
            QCOMPARE(shortened->droppedTurnCount, first);
            QCOMPARE(shortened->ids, tried->ids);
            break;
        }
    }
}

void TestContextPolicy::continuingIsNeverShortened()
{
    Room room(144);
    room.converse("first", "one");
    room.converse("second", "two");
    room.converse("third", "three");
    room.converse("fourth", std::string(1, 'f'), StopReason::LengthCap);
    QCOMPARE(room.dropped(), 2);
    const engine::TokenIds before = room.engine.requests.back().promptIds;
    room.change([](auto& settings) { settings.contextPolicy = ContextPolicy::StopAndSay; });
    QVERIFY(room.workspace.continueAnswer(room.chat));
    engine::TokenIds expected = before;
    expected.push_back('x'); // the id that the fake engine told
    QCOMPARE(room.engine.requests.back().promptIds, expected);
    QCOMPARE(room.dropped(), 2); // it goes on from what it saw
}

void TestContextPolicy::anAnswerThatRanIntoTheEndIsToldWithWhatHelps()
{
    Room room(64, ContextPolicy::StopAndSay);
    QVERIFY(room.workspace.send(room.chat, "Count"));
    room.engine.token("1, 2");
    room.engine.end(StopReason::ContextFull, [](engine::RunEnded& end) {
        end.ledger.contextUsed = 64;
        end.ledger.contextLength = 64;
    });
    room.settle();
    QCOMPARE(room.chat.lastDraft()->ending()->ledger.reason, StopReason::ContextFull);
    QVERIFY(room.chat.problem());
    QCOMPARE(room.chat.problem()->kind, Problem::Kind::ContextFull);
    QVERIFY(room.chat.problem()->message.contains("64"));
}

void TestContextPolicy::whatWasLeftOutIsRecordedAndReadBack()
{
    app::RunOpening opening;
    opening.contextPolicy = app::contextPolicyName(ContextPolicy::DropOldestTurns);
    opening.droppedMessageCount = 4;
    const app::RunRecord record(opening);
    QCOMPARE(record.json()["context_policy"].dump(),
        std::string(R"({"name":"drop_oldest_turns","dropped_messages":4})"));
    app::StoredChat stored;
    app::StoredMessage message;
    message.id = 1;
    message.role = app::TurnRole::Model;
    stored.messages = { message };
    app::StoredRun run;
    run.id = 2;
    run.message = 1;
    run.record = record.withoutPromptAndTokens();
    stored.runs = { run };
    const app::TurnTree tree = app::turnsOf(stored);
    QCOMPARE(tree.path().at(0)->draft()->origin().droppedTurnCount, 4);
}

void TestContextPolicy::plainTextHasNoPolicy()
{
    QVERIFY(app::RunRecord(app::RunOpening {}).json()["context_policy"].is_null());
}

QTEST_GUILESS_MAIN(TestContextPolicy)
#include "tst_context_policy.moc"
