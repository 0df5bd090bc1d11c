#include "app/inspection/token_track.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::Answer;
using app::TextBytes;
using app::TokenPlace;
using app::TokenTrack;

namespace {
std::unique_ptr<app::Draft> draftOfRun(engine::RunId run, engine::TokenIds promptIds, int draftTokenCount = 0)
{
    app::DraftOrigin origin;
    origin.request.runId = run;
    origin.request.promptIds = std::move(promptIds);
    origin.request.draftTokenCount = draftTokenCount;
    return std::make_unique<app::Draft>(std::move(origin));
}

void say(Answer& answer, engine::RunId run, engine::TokenId id, const std::string& bytes)
{
    engine::TokenDecoded event;
    event.runId = run;
    event.record.id = id;
    event.record.bytes = bytes;
    event.record.logprob = -0.5f;
    event.text = bytes;
    answer.apply(event);
}

void end(Answer& answer, engine::RunId run, engine::StopReason reason, int reused = 0)
{
    engine::RunEnded event;
    event.runId = run;
    event.ledger.reason = reason;
    event.text = answer.partOf(run)->text();
    event.cache.reusedTokens = reused;
    answer.apply(event);
}
}

class TestTokenTrack : public QObject {
    Q_OBJECT
private slots:
    void thePromptComesFirstThenTheAnswer()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, { 7, 8, 9 }));
        TokenTrack track(answer);
        QCOMPARE(track.promptCount(), 3);
        QCOMPARE(track.tokens().size(), size_t(3));
        say(answer, 1, 20, "Mon");
        say(answer, 1, 21, "day");
        QVERIFY(!track.update());
        QCOMPARE(track.tokens().size(), size_t(5));
        QCOMPARE(track.tokens()[3].place, TokenPlace::Answer);
        QCOMPARE(track.tokens()[4].text, (TextBytes { 3, 6 }));
        QCOMPARE(track.record(4)->id, 21);
        QVERIFY(!track.record(2));
        QCOMPARE(track.idsBefore(4), (engine::TokenIds { 7, 8, 9, 20 }));
    }

    void aCandidateIsWrittenWithTheVocabularyAtHand()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, { 7 }));
        say(answer, 1, 'a', "a");
        QCOMPARE(TokenTrack(answer).pieceText(1, 'x'), std::string());
        const TokenTrack track(answer, tests::FakeEngine().modelText());
        QCOMPARE(track.pieceText(1, 'x'), std::string("x"));
        QCOMPARE(track.pieceText(0, tests::FakeEngine::kEnd), std::string("<|im_end|>"));
    }

    void whatWasReusedIsKnownAtTheEnd()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, { 7, 8, 9 }));
        say(answer, 1, 20, "a");
        TokenTrack track(answer);
        QVERIFY(!track.tokens()[0].isReused);
        end(answer, 1, engine::StopReason::LengthCap, 2);
        QVERIFY(track.update());
        QVERIFY(track.tokens()[0].isReused);
        QVERIFY(track.tokens()[1].isReused);
        QVERIFY(!track.tokens()[2].isReused);
        QVERIFY(!track.tokens()[3].isReused);
    }

    void continuedPartsFollowEachOther()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, { 7 }));
        say(answer, 1, 20, "One");
        end(answer, 1, engine::StopReason::LengthCap);
        answer.addPart(draftOfRun(2, { 7, 20 }, 1));
        say(answer, 2, 21, " two");
        const TokenTrack track(answer);
        QCOMPARE(track.promptCount(), 1);
        QCOMPARE(track.tokens().size(), size_t(3));
        QCOMPARE(track.tokens()[2].part, 1);
        QCOMPARE(track.tokens()[2].index, 0);
        QCOMPARE(track.tokens()[2].text, (TextBytes { 3, 7 }));
        QCOMPARE(track.draftOf(2)->runId(), engine::RunId(2));
    }

    void whoseWordsAPromptTokenBeginsIsTold()
    {
        app::DraftOrigin origin;
        origin.modelText = tests::FakeEngine().modelText();
        origin.promptText = "<|im_start|>Hi";
        origin.request.promptIds = { tests::FakeEngine::kStart, 'H', 'i' };
        origin.promptSpans = { { app::PromptOrigin::Template, 0, 12 }, { app::PromptOrigin::Typed, 12, 14, 0 } };
        Answer answer;
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        const TokenTrack track(answer);
        QCOMPARE(track.tokens()[0].origin, app::PromptOrigin::Template);
        QCOMPARE(track.tokens()[2].origin, app::PromptOrigin::Typed);
    }

    void whatAPersonBeganIsToldApart()
    {
        Answer answer(app::AnswerOpening { .text = "It", .source = engine::TokenSource::Typed, .ids = { 30 } });
        answer.addPart(draftOfRun(1, { 7, 8, 30 }, 1));
        say(answer, 1, 20, " is");
        const TokenTrack track(answer);
        QCOMPARE(track.promptCount(), 2);
        QCOMPARE(track.tokens()[2].place, TokenPlace::Opening);
        QCOMPARE(track.tokens()[2].source, engine::TokenSource::Typed);
        // Without a vocabulary nobody knows which bytes are the opening's token's.
        QCOMPARE(track.tokens()[2].text, (TextBytes { 0, 0 }));
        QCOMPARE(track.tokens()[3].text, (TextBytes { 2, 5 }));
        QCOMPARE(track.idsBefore(3), (engine::TokenIds { 7, 8, 30 }));
    }

    void whatAForkKeptHasTheRecordsOfItsOldBranch()
    {
        Answer old(app::AnswerOpening { .text = "It", .source = engine::TokenSource::Typed, .ids = { 30 } });
        old.addPart(draftOfRun(1, { 7, 8, 30 }, 1));
        say(old, 1, 20, " is");
        old.addPart(draftOfRun(2, { 7, 8, 30, 20 }, 2));
        say(old, 2, 21, " in");
        say(old, 2, 22, " a");
        app::DraftOrigin origin;
        origin.request.runId = 3;
        origin.request.promptIds = { 7, 8, 30, 20, 21 };
        origin.request.draftTokenCount = 3;
        origin.kept = old.keptTokens(3);
        Answer fork(app::AnswerOpening { "It is in", engine::TokenSource::Sampled, { 30, 20, 21 } });
        fork.addPart(std::make_unique<app::Draft>(std::move(origin)));
        say(fork, 3, 40, " the");
        const TokenTrack track(fork);
        QCOMPARE(track.tokens()[2].source, engine::TokenSource::Typed); // begun on the old branch
        QVERIFY(!track.record(2) && !track.isKept(2));
        QCOMPARE(*track.record(3), old.parts()[0]->records()[0]);
        QCOMPARE(*track.record(4), old.parts()[1]->records()[0]);
        QVERIFY(track.isKept(4) && !track.isKept(5));
        QVERIFY(!track.draftOf(4));
        QVERIFY(track.isFirstOfRun(3) && track.isFirstOfRun(4));
        QCOMPARE(track.record(5)->id, 40);
        // A fork of the fork keeps them all, each with its own run.
        const app::KeptTokens again = fork.keptTokens(4);
        QCOMPARE(again.records.size(), size_t(4));
        QCOMPARE(again.runs.size(), size_t(3));
        QCOMPARE(again.runs[2].firstToken, 3);
        QCOMPARE(again.records[3].id, 40);
    }

    void aForkFromBeforeTheyWereKeptHasNone()
    {
        Answer fork(app::AnswerOpening { "It is", engine::TokenSource::Sampled, { 30, 20 } });
        fork.addPart(draftOfRun(3, { 7, 30, 20 }, 2));
        say(fork, 3, 40, " the");
        const TokenTrack track(fork);
        QVERIFY(!track.record(1) && !track.samplingOf(1) && !track.isKept(1));
        const app::KeptTokens again = fork.keptTokens(3);
        QCOMPARE(again.records.size(), size_t(3));
        QVERIFY(!again.runOf(1));
        QVERIFY(again.runOf(2));
    }

    void aCharacterOfSeveralTokensBelongsToAllOfThem()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, {}));
        say(answer, 1, 1, "a\xF0\x9F");
        say(answer, 1, 2, "\x8C");
        say(answer, 1, 3, "\x9F!");
        say(answer, 1, 4, "b");
        const TokenTrack track(answer);
        QCOMPARE(track.tokens()[0].text, (TextBytes { 0, 5 }));
        QCOMPARE(track.tokens()[1].text, (TextBytes { 1, 5 }));
        QCOMPARE(track.tokens()[2].text, (TextBytes { 1, 6 }));
        QCOMPARE(track.tokens()[3].text, (TextBytes { 6, 7 }));
    }

    void aByteOfTheTextLeadsToItsToken()
    {
        Answer answer;
        answer.addPart(draftOfRun(1, { 7, 8 }));
        say(answer, 1, 20, "Mon");
        say(answer, 1, 21, "day");
        say(answer, 1, 2, "");
        const TokenTrack track(answer);
        QCOMPARE(track.tokenAt(0), std::optional(2));
        QCOMPARE(track.tokenAt(2), std::optional(2));
        QCOMPARE(track.tokenAt(3), std::optional(3));
        QCOMPARE(track.tokenAt(5), std::optional(3));
        QVERIFY(!track.tokenAt(6));
    }

    void whatIsNotInMemoryAppearsWhenItHasBeenRead()
    {
        app::DraftOrigin origin;
        origin.request.runId = 1;
        engine::RunEnded ending;
        ending.runId = 1;
        ending.ledger.reason = engine::StopReason::EndToken;
        Answer answer;
        answer.addPart(std::make_unique<app::Draft>(
            std::move(origin), app::DraftRemains { .text = "Hi", .ending = ending, .tokenCount = 1 }));
        TokenTrack track(answer);
        QVERIFY(track.tokens().empty());
        engine::TokenRecord record;
        record.id = 5;
        record.bytes = "Hi";
        answer.draft()->setDetails({ 1, 2 }, "prompt", { record });
        QVERIFY(track.update());
        QCOMPARE(track.promptCount(), 2);
        QCOMPARE(track.tokens().size(), size_t(3));
        QCOMPARE(track.tokens()[2].bytes, std::string("Hi"));
    }
};

QTEST_GUILESS_MAIN(TestTokenTrack)
#include "tst_token_track.moc"
