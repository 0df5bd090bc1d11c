#include "app/compare/run_verification.h"
#include "app/conversation/workspace.h"
#include "app/runs/opened_record.h"
#include "app/runs/run_json.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using app::RunVerification;
using engine::StopReason;
using nlohmann::ordered_json;

namespace {

engine::TokenRecord tokenOf(char id, std::vector<engine::Candidate> top = {})
{
    engine::TokenRecord token { .id = id, .bytes = std::string(1, id) };
    if (!top.empty())
        token.logprob = top.front().logprob;
    token.top = std::move(top);
    return token;
}

/// A loaded model and what is verified with it.
struct Fixture {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    RunVerification verification { workspace };

    explicit Fixture(bool loads = true)
    {
        if (!loads)
            return;
        workspace.loadModel({ .path = "/models/tiny.gguf" });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
    /// A run of this model that said these tokens until a cap.
    ordered_json record(const std::vector<engine::TokenRecord>& tokens)
    {
        app::RunOpening opening;
        opening.model = tests::FakeEngine::tinyModel();
        opening.model.path = "/elsewhere/tiny.gguf";
        const auto text = engine.modelText();
        opening.text = text.get();
        opening.request.promptIds = { 'H', 'i' };
        opening.request.lengthCap = int(tokens.size());
        opening.request.sampling.seed = 5;
        opening.request.stopStrings = { "never" };
        opening.startedBy = "person";
        app::RunRecord record(opening);
        engine::RunEnded ended;
        for (const engine::TokenRecord& token : tokens) {
            engine::TokenDecoded decoded;
            decoded.record = token;
            record.apply(decoded);
            ended.text += token.bytes;
        }
        ended.ledger.reason = StopReason::LengthCap;
        ended.ledger.lengthCap = int(tokens.size());
        ended.timing.prefillEndMs = 3;
        record.apply(ended);
        return record.json();
    }
    bool begins(const ordered_json& record)
    {
        const size_t before = engine.requests.size();
        verification.start(record);
        return QTest::qWaitFor([&] { return engine.requests.size() > before; }, 5000);
    }
    /// The refusal, once it is there.
    QString failureOf(const ordered_json& record)
    {
        verification.start(record);
        const bool isKnown = QTest::qWaitFor(
            [&] { return !verification.isUnderWay() || !engine.requests.empty(); }, 5000);
        return isKnown ? verification.failure() : "nothing happened";
    }
    void push(engine::TokenRecord token)
    {
        engine::TokenDecoded decoded;
        decoded.runId = engine.requests.back().runId;
        decoded.record = std::move(token);
        engine.push(decoded);
    }
    bool isOver()
    {
        return QTest::qWaitFor([&] { return !verification.isUnderWay(); }, 5000);
    }
};

}

/// A recorded run, run again in the window's own engine.
class TestRunVerification : public QObject {
    Q_OBJECT
private slots:
    void theSameTokensAreEqual()
    {
        Fixture fixture;
        QSignalSpy changed(&fixture.verification, &RunVerification::changed);
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), tokenOf('b'), tokenOf('c') })));
        QVERIFY(fixture.verification.isUnderWay());
        const engine::GenerationRequest& request = fixture.engine.requests.back();
        QCOMPARE(request.promptIds, (engine::TokenIds { 'H', 'i' }));
        QCOMPARE(request.lengthCap, 3);
        QCOMPARE(request.sampling.seed, uint64_t(5));
        QVERIFY(request.ignoreEndTokens && request.stopStrings.empty());
        QVERIFY(!request.reusesCache); // computed anew
        fixture.engine.token("a", 'a');
        fixture.engine.token("b", 'b');
        QTRY_COMPARE(fixture.verification.comparedCount(), size_t(2));
        QCOMPARE(fixture.verification.tokenCount(), size_t(3));
        QVERIFY(!fixture.verification.outcome());
        fixture.engine.token("c", 'c');
        fixture.engine.end(StopReason::LengthCap);
        QVERIFY(fixture.isOver());
        const auto& outcome = fixture.verification.outcome();
        QVERIFY(outcome && !outcome->difference);
        QCOMPARE(outcome->tokenCount, size_t(3));
        QCOMPARE(outcome->device, tests::FakeEngine::tinyModel().device.name);
        QCOMPARE(outcome->contradiction, std::string());
        QVERIFY(changed.count() >= 3);
        QVERIFY(!fixture.workspace.hasActiveRuns());
    }

    void theFirstOtherTokenIsShownWithBothDistributionsAndEndsIt()
    {
        Fixture fixture;
        const std::vector<engine::Candidate> recorded { { 'b', std::log(0.5f) }, { 'c', std::log(0.25f) } };
        const std::vector<engine::Candidate> now { { 'c', std::log(0.75f) }, { tests::FakeEngine::kEnd, std::log(0.125f) } };
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), tokenOf('b', recorded), tokenOf('c') })));
        fixture.push(tokenOf('a'));
        fixture.push(tokenOf('c', now));
        QVERIFY(fixture.isOver());
        QCOMPARE(fixture.engine.cancelled.size(), size_t(1)); // the rest is another story
        const auto& difference = fixture.verification.outcome()->difference;
        QVERIFY(difference.has_value());
        QCOMPARE(difference->token, size_t(1));
        QCOMPARE(difference->recorded.bytes, std::string("b"));
        QCOMPARE(difference->replayed->bytes, std::string("c"));
        QCOMPARE(difference->recordedTop.size(), size_t(2));
        QCOMPARE(difference->recordedTop[1].bytes, std::string("c"));
        QVERIFY(std::abs(difference->recordedTop[1].probability - 0.25) < 1e-6);
        QCOMPARE(difference->replayedTop[1].bytes, std::string("<|im_end|>"));
        QVERIFY(std::abs(difference->replayedTop[0].probability - 0.75) < 1e-6);
        fixture.engine.end(StopReason::Cancelled); // what still comes changes nothing
        QTest::qWait(20);
        QVERIFY(fixture.verification.outcome()->difference);
    }

    void aReplayThatEndsEarlierIsADifference()
    {
        Fixture fixture;
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), tokenOf('b') })));
        fixture.engine.token("a", 'a');
        fixture.engine.end(StopReason::ContextFull);
        QVERIFY(fixture.isOver());
        const auto& difference = fixture.verification.outcome()->difference;
        QVERIFY(difference && difference->token == 1 && !difference->replayed);
    }

    void tokensThatSomebodyPutInAreTakenAsTheyAre()
    {
        Fixture fixture;
        engine::TokenRecord forced = tokenOf('x');
        forced.source = engine::TokenSource::Forced;
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), forced, tokenOf('b') })));
        QCOMPARE(fixture.engine.requests.back().lengthCap, 1);
        fixture.engine.token("a", 'a');
        fixture.engine.end(StopReason::LengthCap);
        QTRY_COMPARE(fixture.engine.requests.size(), size_t(2));
        const engine::GenerationRequest& second = fixture.engine.requests.back();
        QCOMPARE(second.promptIds, (engine::TokenIds { 'H', 'i', 'a' }));
        QCOMPARE(second.forcedIds, (engine::TokenIds { 'x' }));
        QVERIFY(second.reusesCache);
        fixture.engine.token("x", 'x');
        fixture.engine.token("b", 'b');
        fixture.engine.end(StopReason::LengthCap);
        QVERIFY(fixture.isOver());
        QVERIFY(fixture.verification.outcome() && !fixture.verification.outcome()->difference);
    }

    void aReasonThatDoesNotFollowIsTold()
    {
        Fixture fixture;
        ordered_json record = fixture.record({ tokenOf('a') });
        record["stop"]["reason"] = "end_token";
        QVERIFY(fixture.begins(record));
        fixture.engine.token("a", 'a');
        fixture.engine.end(StopReason::LengthCap);
        QVERIFY(fixture.isOver());
        QVERIFY(fixture.verification.outcome()->contradiction.find("end_token does not follow") != std::string::npos);
    }

    void aStopStringThatBeganInAContinuedDraftFollows()
    {
        Fixture fixture;
        ordered_json record = fixture.record({ tokenOf('\n') });
        record["prompt"]["token_ids"] = std::vector<int> { 'H', 'i', 'A', '\n' };
        record["prompt"]["draft_token_count"] = 2;
        record["caps"]["length"] = 5;
        record["stop_strings"] = ordered_json::array({ "\n\n" });
        record["stop"]["reason"] = "stop_string";
        const app::ComparedRun run = app::comparedRun(app::readRunRecord(record), app::tokensOf(record));
        QCOMPARE(app::contradictionOf(run), std::string()); // without a model nobody can tell
        QVERIFY(fixture.begins(record));
        fixture.engine.token("\n", '\n');
        fixture.engine.end(StopReason::LengthCap);
        QVERIFY(fixture.isOver());
        const auto& outcome = fixture.verification.outcome();
        QVERIFY(outcome && !outcome->difference);
        QCOMPARE(outcome->contradiction, std::string());
        record["prompt"]["token_ids"] = std::vector<int> { 'H', 'i', 'A', 'B' };
        QVERIFY(fixture.begins(record));
        fixture.engine.token("\n", '\n');
        fixture.engine.end(StopReason::LengthCap);
        QVERIFY(fixture.isOver());
        QVERIFY(fixture.verification.outcome()->contradiction.find("stop_string does not follow") != std::string::npos);
    }

    void whatCannotBeVerifiedIsSaidInWords_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("no ids") << "prompt" << "does not tell the token ids of the prompt";
        QTest::newRow("pieces only") << "pieces" << "does not tell the ids of its tokens";
        QTest::newRow("no tokens") << "tokens" << "No token was recorded";
        QTest::newRow("under way") << "open" << "has not ended";
        QTest::newRow("another model") << "file" << "Another model is loaded: tiny.gguf. Load large.gguf";
        QTest::newRow("another file of that name") << "bytes" << "Another file called tiny.gguf is loaded";
        QTest::newRow("vocabulary") << "vocabulary" << "vocabulary of the loaded model is not that of the record";
        QTest::newRow("context") << "context" << "The run took";
    }
    void whatCannotBeVerifiedIsSaidInWords()
    {
        QFETCH(QString, what);
        QFETCH(QString, words);
        Fixture fixture;
        ordered_json record = fixture.record({ tokenOf('a') });
        if (what == "prompt")
            record["prompt"]["token_ids"] = nullptr;
        else if (what == "pieces")
            record["tokens"][0]["id"] = nullptr;
        else if (what == "tokens" || what == "open")
            record["tokens"] = ordered_json::array();
        else if (what == "file")
            record["checkpoint"]["file_name"] = "large.gguf";
        else if (what == "bytes")
            record["checkpoint"]["bytes"] = 12;
        else if (what == "vocabulary")
            record["tokenizer"]["vocabulary_sha256"] = std::string(64, 'a');
        else
            record["prompt"]["token_ids"] = std::vector<int>(9000, 'a');
        if (what == "open")
            record["stop"] = nullptr;
        const QString failure = fixture.failureOf(record);
        QVERIFY2(failure.contains(words), qPrintable(failure));
        QVERIFY(fixture.engine.requests.empty());
        QVERIFY(!fixture.verification.outcome());
    }

    void withoutAModelItSaysWhichIsNeeded()
    {
        Fixture fixture(false);
        QVERIFY(fixture.failureOf(fixture.record({ tokenOf('a') })).contains("No model is loaded. Load tiny.gguf"));
        fixture.workspace.loadModel({ .path = "/models/tiny.gguf" });
        QVERIFY(fixture.failureOf(fixture.record({ tokenOf('a') })).contains("still being loaded"));
    }

    void itCanBeStopped()
    {
        Fixture fixture;
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), tokenOf('b') })));
        fixture.engine.token("a", 'a');
        fixture.verification.cancel();
        QVERIFY(!fixture.verification.isUnderWay());
        QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
        fixture.engine.end(StopReason::Cancelled);
        QTest::qWait(20);
        QVERIFY(!fixture.verification.outcome() && fixture.verification.failure().isEmpty());
        fixture.verification.start(fixture.record({ tokenOf('a') }));
        fixture.verification.cancel(); // before the record was read
        QTest::qWait(50);
        QCOMPARE(fixture.engine.requests.size(), size_t(1));
    }

    void anotherModelInBetweenEndsIt()
    {
        Fixture fixture;
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a'), tokenOf('b') })));
        fixture.workspace.unloadModel();
        QVERIFY(fixture.isOver());
        QVERIFY(fixture.verification.failure().contains("exchanged or unloaded"));
    }

    void aFailureIsToldInItsWords()
    {
        Fixture fixture;
        QVERIFY(fixture.begins(fixture.record({ tokenOf('a') })));
        fixture.engine.end(StopReason::Failed,
            [](engine::RunEnded& ended) { ended.ledger.error = engine::Error::notFinite("the scores are not finite"); });
        QVERIFY(fixture.isOver());
        QVERIFY(fixture.verification.failure().contains("the scores are not finite"));
    }
};

QTEST_GUILESS_MAIN(TestRunVerification)
#include "tst_run_verification.moc"
