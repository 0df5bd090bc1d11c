#include "engine/session/scripted_timeline.h"

#include <QtTest>

using namespace engine;

namespace {
TokenId likeliest(const Timeline& timeline)
{
    const auto logits = timeline.logits();
    return TokenId(std::max_element(logits.begin(), logits.end()) - logits.begin());
}
}

class TestScriptedTimeline : public QObject {
    Q_OBJECT
private slots:
    void theAnswerFollowsTheScriptWhateverIsAppended()
    {
        ScriptedTimeline timeline(Script::ofTokens({ 5, 6, 7 }, 10));
        const TokenIds prompt { 1, 2 };
        QVERIFY(timeline.sync(prompt, {}));
        QCOMPARE(likeliest(timeline), 5);
        QVERIFY(timeline.append(9));
        QCOMPARE(likeliest(timeline), 6);
        QVERIFY(timeline.append(6));
        QVERIFY(timeline.append(7));
        QCOMPARE(likeliest(timeline), 7); // the last step repeats
    }
    void aContinuedAnswerGoesOnWhereItStood()
    {
        ScriptedTimeline timeline(Script::ofTokens({ 5, 6, 5, 6, 7 }, 10));
        const TokenIds ids { 1, 2, 5, 6, 5 };
        QVERIFY(timeline.sync(ids, {}));
        QCOMPARE(likeliest(timeline), 6);
        QVERIFY(timeline.append(6));
        QCOMPARE(likeliest(timeline), 7);
    }
    void theCommonPrefixIsReused()
    {
        ScriptedTimeline timeline(Script::ofTokens({ 5 }, 10));
        const TokenIds first { 1, 2, 3, 4 };
        const TokenIds second { 1, 2, 9, 4, 4 };
        QCOMPARE(timeline.sync(first, {})->reusedTokens, 0);
        const SyncReport again = *timeline.sync(first, {});
        QCOMPARE(again.reusedTokens, 3); // the last position is computed always
        QVERIFY(!again.firstMissPosition);
        const SyncReport other = *timeline.sync(second, {});
        QCOMPARE(other.reusedTokens, 2);
        QCOMPARE(other.computedTokens, 3);
        QCOMPARE(other.firstMissPosition, std::optional(2));
        QVERIFY(!other.missCause.empty());
        QCOMPARE(other.heldToken, std::optional<engine::TokenId>(3));
    }
    void aCancelledSyncKeepsWhatWasRead()
    {
        Script script = Script::ofTokens({ 5 }, 10);
        script.chunkLength = 4;
        ScriptedTimeline timeline(script);
        const TokenIds prompt(10, 3);
        int asked = 0;
        const auto result = timeline.sync(prompt, { {}, [&] { return ++asked == 3; } });
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QCOMPARE(timeline.tokenCount(), 8);
        QCOMPARE(timeline.sync(prompt, {})->reusedTokens, 8);
    }
    void theContextIsALimit()
    {
        Script script = Script::ofTokens({ 5 }, 10);
        script.contextLength = 3;
        ScriptedTimeline timeline(script);
        QCOMPARE(timeline.sync(TokenIds(4, 1), {}).error().code, ErrorCode::ContextFull);
        QVERIFY(timeline.sync(TokenIds(3, 1), {}));
        QCOMPARE(timeline.append(5).error().code, ErrorCode::ContextFull);
    }
};

QTEST_APPLESS_MAIN(TestScriptedTimeline)
#include "tst_scripted_timeline.moc"
