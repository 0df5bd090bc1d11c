#include "app/runs/run_json.h"
#include "app/runs/run_reading.h"
#include "app/runs/run_record.h"

#include <QTest>

using app::readRunRecord;
using app::RunOpening;
using app::RunReading;
using app::RunRecord;
using nlohmann::ordered_json;

namespace {

RunOpening opening()
{
    RunOpening opening;
    opening.model.path = "/models/tiny.gguf";
    opening.model.name = "tiny";
    opening.model.fileBytes = 12345;
    opening.model.device.name = "llvmpipe";
    opening.model.kvType = "f16";
    opening.model.contextLength = 64;
    opening.request.promptIds = { 1, 2, 3, 4 };
    opening.request.draftTokenCount = 1;
    opening.request.sampling.temperature = 0.3f;
    opening.request.sampling.topK = 7;
    opening.request.sampling.seed = 0xFFFFFFFFFFFFFFFFull;
    opening.request.sampling.logitBias = { { 5, -1.5f } };
    opening.request.sampling.bannedIds = { 9, 12 };
    opening.request.forcedIds = { 8 };
    opening.request.bannedFirstIds = { 6 };
    opening.request.stopStrings = { "5, 6", "\n" };
    opening.request.lengthCap = 20;
    opening.request.timeCapMs = 900;
    opening.request.ignoreEndTokens = true;
    opening.request.repetitionGuard = { .longestPeriod = 7, .repeatCount = 5 };
    opening.promptText = "Hi there";
    opening.promptSpans = { { app::PromptOrigin::Template, 0, 3 }, { app::PromptOrigin::Typed, 3, 8, 0 } };
    opening.templateFamily = "own";
    opening.startedBy = "person";
    opening.contextPolicy = "drop_oldest_turns";
    opening.droppedMessageCount = 6;
    return opening;
}

engine::RunEnded ending(engine::StopReason reason)
{
    engine::RunEnded ended;
    ended.ledger.reason = reason;
    ended.ledger.decidingTokenIndex = 3;
    ended.ledger.stopString = "5, 6";
    ended.ledger.stopStringOffset = 12;
    ended.ledger.cancelledBy = engine::CancelledBy::Closing;
    ended.ledger.error = engine::Error::deviceLost("gone");
    ended.ledger.endTokenId = 2;
    ended.ledger.repetition = { .period = 3, .count = 5 };
    ended.ledger.tokenCount = 4;
    ended.ledger.lengthCap = 20;
    ended.ledger.contextUsed = 8;
    ended.ledger.contextLength = 64;
    ended.ledger.entries = { { engine::StopReason::LengthCap, true, "4 of 20" },
        { engine::StopReason::ContextFull, false, "8 of 64" } };
    ended.text = "Grüße";
    ended.waitingBytes = "\xF0\x9F";
    ended.cache = { 3, 1, 3, "the text differs", engine::CacheMiss::OtherToken, 40,
        engine::KvRoom { 2, 64, 4096, 70 } };
    ended.prefillChunkCount = 1;
    ended.decodePassCount = 3;
    ended.discardedPassCount = 1;
    ended.overlap = { false, "switched off" };
    ended.timing = { 0.5, 1.0, 2.0, 2.5, 2.6, 9.75 };
    return ended;
}

}

class TestRunReading : public QObject {
    Q_OBJECT
private slots:
    void aRecordReadsBackAsItWasWritten_data();
    void aRecordReadsBackAsItWasWritten();
    void aRecordThatWasNeverClosedHasNoEnding();
    void whatTheDatabaseKeepsHasNoPromptAndNoTokens();
    void aForeignRecordLeavesEmptyWhatItDoesNotSay();
};

void TestRunReading::aRecordReadsBackAsItWasWritten_data()
{
    QTest::addColumn<int>("reason");
    for (const engine::StopReasonInfo& info : engine::stopReasonTable())
        QTest::newRow(info.name) << int(info.reason);
}

void TestRunReading::aRecordReadsBackAsItWasWritten()
{
    QFETCH(int, reason);
    RunRecord record(opening());
    const engine::RunEnded ended = ending(engine::StopReason(reason));
    record.apply(ended);
    app::WindowTimes window { { 0.25, 1.5 }, 2.0, 3.5, 10.0, { { 0, 1.125, 4.5 }, { 3, 8, {} } } };
    record.setWindowTimes(window);
    // Through text, as a file or the database keeps it.
    const RunReading reading = readRunRecord(ordered_json::parse(app::dumped(record.json())));
    QCOMPARE(reading.request, opening().request);
    QCOMPARE(reading.modelName, std::string("tiny"));
    QCOMPARE(reading.checkpointFile, std::string("tiny.gguf"));
    QCOMPARE(reading.checkpointBytes, uint64_t(12345));
    QCOMPARE(reading.deviceName, std::string("llvmpipe"));
    QCOMPARE(reading.kvType, std::string("f16"));
    QCOMPARE(reading.promptText, std::string("Hi there"));
    QCOMPARE(reading.droppedMessageCount, 6);
    QCOMPARE(reading.window, window);
    QVERIFY(reading.promptSpans == opening().promptSpans);
    QVERIFY(reading.ending);
    QCOMPARE(reading.ending->ledger, ended.ledger);
    QCOMPARE(*reading.ending, ended);
}

void TestRunReading::aRecordThatWasNeverClosedHasNoEnding()
{
    QVERIFY(!readRunRecord(RunRecord(opening()).json()).ending);
}

void TestRunReading::whatTheDatabaseKeepsHasNoPromptAndNoTokens()
{
    RunRecord record(opening());
    engine::TokenDecoded token;
    token.record.id = 9;
    token.record.source = engine::TokenSource::Forced;
    record.apply(token);
    const auto kept = ordered_json::parse(record.withoutPromptAndTokens());
    QVERIFY(!kept.contains("tokens"));
    QVERIFY(!kept["prompt"].contains("token_ids"));
    QCOMPARE(readRunRecord(kept).notSampledCount, 1);
    QCOMPARE(readRunRecord(kept).request.draftTokenCount, 1);
    QCOMPARE(readRunRecord(kept).request.sampling, opening().request.sampling);
}

void TestRunReading::aForeignRecordLeavesEmptyWhatItDoesNotSay()
{
    for (const char* text :
        { "{}", "[]", "null", "7", R"({"stop":{"reason":"no such reason"}})",
            R"({"prompt":[1],"caps":"x","sampling":{"top_k":"many"},"tokenizer":{"end_tokens":[3]}})" }) {
        const RunReading reading = readRunRecord(ordered_json::parse(text));
        QVERIFY(!reading.ending);
        QCOMPARE(reading.request, engine::GenerationRequest {});
        QVERIFY(reading.endTokenTexts.empty());
    }
}

QTEST_GUILESS_MAIN(TestRunReading)
#include "tst_run_reading.moc"
