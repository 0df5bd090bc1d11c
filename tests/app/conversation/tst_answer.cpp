#include "app/conversation/answer.h"

#include <QTest>

using app::Answer;
using app::Draft;
using engine::StopReason;
using engine::TokenSource;
using engine::Verdict;

namespace {

std::unique_ptr<Draft> draftOfRun(engine::RunId run, engine::TokenIds promptIds = { 1, 2, 3 })
{
    app::DraftOrigin origin;
    origin.request.runId = run;
    origin.request.promptIds = std::move(promptIds);
    return std::make_unique<Draft>(std::move(origin));
}

engine::TokenDecoded token(
    engine::RunId run, engine::TokenId id, const std::string& bytes, const std::string& text)
{
    engine::TokenDecoded event;
    event.runId = run;
    event.record.id = id;
    event.record.bytes = bytes;
    event.text = text;
    return event;
}

engine::RunEnded ended(engine::RunId run, StopReason reason, const std::string& text)
{
    engine::RunEnded event;
    event.runId = run;
    event.ledger.reason = reason;
    event.text = text;
    return event;
}

}

class TestAnswer : public QObject {
    Q_OBJECT
private slots:
    void textAndIdsOfAllPartsBelongTogether();
    void theStateIsThatOfTheLastPart();
    void g18_g19_aCharacterThatTheFirstPartLeftIsWholeAfterTheSecond();
    void aStopStringThatEndedAPartIsShownOnceTheModelGoesOnFromIt();
    void whatAPersonBeganComesFirst();
    void aForkCountsWhatItKeptThatNobodySampled();
    void anEditedAnswerIsNoModelsWork();
    void onlyWhatHasEndedAndIsUnfinishedMayBeContinued_data();
    void onlyWhatHasEndedAndIsUnfinishedMayBeContinued();
};

void TestAnswer::textAndIdsOfAllPartsBelongTogether()
{
    Answer answer;
    answer.addPart(draftOfRun(1));
    answer.apply(token(1, 10, "One", "One"));
    answer.apply(ended(1, StopReason::LengthCap, "One"));
    answer.addPart(draftOfRun(2));
    answer.apply(token(2, 11, " two", " two"));
    QCOMPARE(answer.text(), std::string("One two"));
    QCOMPARE(answer.seams(), std::vector<size_t>({ 3 }));
    QCOMPARE(answer.draftIds(), engine::TokenIds({ 10, 11 }));
    QCOMPARE(answer.promptIds(), engine::TokenIds({ 1, 2, 3 }));
    QCOMPARE(answer.tokenCount(), 2);
    QVERIFY(!answer.apply(token(3, 12, "no", "no")));
}

void TestAnswer::theStateIsThatOfTheLastPart()
{
    Answer answer;
    answer.addPart(draftOfRun(1));
    QCOMPARE(answer.verdict(), Verdict::Partial);
    answer.apply(ended(1, StopReason::LengthCap, "One"));
    QCOMPARE(answer.verdict(), Verdict::Capped);
    answer.addPart(draftOfRun(2));
    QCOMPARE(answer.verdict(), Verdict::Partial);
    QVERIFY(answer.isActive());
    answer.apply(ended(2, StopReason::EndToken, " two"));
    QCOMPARE(answer.verdict(), Verdict::Complete);
    QVERIFY(!answer.isUnfinished());
}

void TestAnswer::g18_g19_aCharacterThatTheFirstPartLeftIsWholeAfterTheSecond()
{
    Answer answer;
    answer.addPart(draftOfRun(1));
    answer.apply(token(1, 10, "a\xF0\x9F", "a"));
    answer.apply(ended(1, StopReason::LengthCap, "a"));
    QCOMPARE(answer.text(), std::string("a"));
    answer.addPart(draftOfRun(2));
    QCOMPARE(answer.text(), std::string("a")); // half a character stays out of sight
    answer.apply(token(2, 11, "\x8C\x9F", "\xF0\x9F\x8C\x9F"));
    answer.apply(ended(2, StopReason::EndToken, "\xF0\x9F\x8C\x9F"));
    QCOMPARE(answer.text(), std::string("a\xF0\x9F\x8C\x9F"));
}

void TestAnswer::aStopStringThatEndedAPartIsShownOnceTheModelGoesOnFromIt()
{
    Answer answer;
    answer.addPart(draftOfRun(1));
    answer.apply(token(1, 10, "4, ", "4, "));
    answer.apply(token(1, 11, "5", ""));
    answer.apply(token(1, 12, ", 6", ""));
    answer.apply(ended(1, StopReason::StopString, "4, "));
    QCOMPARE(answer.text(), std::string("4, "));
    answer.addPart(draftOfRun(2));
    QCOMPARE(answer.text(), std::string("4, 5, 6"));
    answer.apply(token(2, 13, ", 7", ", 7"));
    QCOMPARE(answer.text(), std::string("4, 5, 6, 7"));
    QCOMPARE(answer.seams(), std::vector<size_t>({ 7 }));
}

void TestAnswer::whatAPersonBeganComesFirst()
{
    Answer answer({ "Once", TokenSource::Typed, { 7 } });
    answer.addPart(draftOfRun(1, { 1, 2, 7 }));
    answer.apply(token(1, 10, " upon", " upon"));
    answer.apply(ended(1, StopReason::LengthCap, " upon"));
    QCOMPARE(answer.text(), std::string("Once upon"));
    QCOMPARE(answer.draftIds(), engine::TokenIds({ 7, 10 }));
    QCOMPARE(answer.seams(), std::vector<size_t>({ 4 }));
    QCOMPARE(answer.notSampledCount(), 1);
}

void TestAnswer::aForkCountsWhatItKeptThatNobodySampled()
{
    Answer old;
    old.addPart(draftOfRun(1));
    for (const TokenSource source : { TokenSource::Sampled, TokenSource::Forced, TokenSource::Typed }) {
        engine::TokenDecoded event = token(1, 10, "a", "a");
        event.record.source = source;
        old.apply(event);
    }
    app::DraftOrigin origin;
    origin.request.runId = 2;
    origin.kept = old.keptTokens(2); // not the typed one
    Answer fork({ "aa", TokenSource::Sampled, { 10, 10 } });
    fork.addPart(std::make_unique<Draft>(std::move(origin)));
    fork.apply(token(2, 11, "b", "b"));
    QCOMPARE(fork.notSampledCount(), 1);
    QCOMPARE(old.notSampledCount(), 2);
}

void TestAnswer::anEditedAnswerIsNoModelsWork()
{
    Answer answer({ "Mine", TokenSource::Edited, {} });
    QVERIFY(answer.isEdited());
    QVERIFY(!answer.isUnfinished());
    QVERIFY(answer.mayContinue());
    QVERIFY(answer.hasDetails());
}

void TestAnswer::onlyWhatHasEndedAndIsUnfinishedMayBeContinued_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<bool>("may");
    for (const engine::StopReasonInfo& info : engine::stopReasonTable())
        QTest::newRow(info.name) << int(info.reason) << (info.reason != StopReason::EndToken);
}

void TestAnswer::onlyWhatHasEndedAndIsUnfinishedMayBeContinued()
{
    QFETCH(int, reason);
    QFETCH(bool, may);
    Answer answer;
    answer.addPart(draftOfRun(1));
    QVERIFY(!answer.mayContinue());
    answer.apply(ended(1, StopReason(reason), "x"));
    QCOMPARE(answer.mayContinue(), may);
    QCOMPARE(answer.isUnfinished(), may);
}

QTEST_GUILESS_MAIN(TestAnswer)
#include "tst_answer.moc"
