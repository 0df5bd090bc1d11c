#include "app/runs/record_file.h"
#include "app/runs/run_json.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace app;
using nlohmann::ordered_json;

namespace {
RunOpening opening()
{
    RunOpening opening;
    opening.model.path = "/models/tiny.gguf";
    opening.model.architecture = "llama";
    opening.request.promptIds = { 1, 2, 3 };
    opening.startedBy = "person";
    return opening;
}

engine::RunEnded capped()
{
    engine::RunEnded ended;
    ended.ledger.reason = engine::StopReason::LengthCap;
    ended.text = "ab";
    ended.tokenIds = { 4, 5 };
    ended.cache = { 1, 2, 1, "another token" };
    ended.decodePassCount = 1;
    ended.timing.prefillEndMs = 3.5;
    ended.timing.endedMs = 9;
    return ended;
}
}

class TestRunRecord : public QObject {
    Q_OBJECT
private slots:
    void anOpenRecordHasNoEndAndSaysSo()
    {
        const RunRecord record(opening());
        QVERIFY(!record.isClosed());
        for (const char* key : { "stop", "ledger", "times", "passes", "overlap", "overlap_obstacle",
                 "cache", "waiting_bytes" })
            QVERIFY2(record.json()[key].is_null(), key);
    }
    void howTokensWereDecodedIsSaidInWords()
    {
        RunRecord alone(opening());
        engine::RunEnded ended = capped();
        ended.overlap.obstacle = "penalties are computed by the host";
        alone.apply(ended);
        QCOMPARE(alone.json()["overlap"], ordered_json(false));
        QCOMPARE(
            alone.json()["overlap_obstacle"], ordered_json("penalties are computed by the host"));
        RunRecord ahead(opening());
        ended.overlap = { .isUsed = true };
        ended.discardedPassCount = 1;
        ahead.apply(ended);
        QCOMPARE(ahead.json()["overlap"], ordered_json(true));
        QVERIFY(ahead.json()["overlap_obstacle"].is_null());
        QCOMPARE(ahead.json()["passes"]["discarded"], ordered_json(1));
    }
    void whatWasNotObservedIsNull()
    {
        const ordered_json json = RunRecord(opening()).json();
        QVERIFY(json["checkpoint"]["sha256"].is_null());
        QVERIFY(json["checkpoint"]["tensor_types"].is_null());
        QVERIFY(json["device"]["name"].is_null());
        QVERIFY(json["kv_type"].is_null());
        QVERIFY(json["template"].is_null());
        QVERIFY(json["messages"].is_null());
        QVERIFY(json["requirement_check"].is_null());
        engine::TokenRecord token;
        token.id = 7;
        token.bytes = "\xF0\x9F";
        const ordered_json bare = toJson(token);
        for (const char* key : { "logprob", "rank", "entropy", "end_probability", "draw" })
            QVERIFY2(bare[key].is_null(), key);
        QCOMPARE(bare["bytes"], ordered_json("f09f"));
    }
    void everyStepOfTheDesignsRecordHasItsPlace()
    {
        const ordered_json json = RunRecord(opening()).json();
        for (const char* key : { "schema", "engine_version", "started_by", "checkpoint",
                 "tokenizer", "template", "messages", "context_policy", "sources", "prompt",
                 "sampling", "caps", "stop_strings", "device", "kv_type", "numerics_tier", "cache",
                 "tokens", "text", "passes", "times", "stop", "ledger", "requirement_check" })
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["sampling"]["stages"],
            ordered_json(
                { "penalties", "logit_bias", "top_k", "top_p", "min_p", "temperature", "draw" }));
        QCOMPARE(
            json["sampling"]["temperature"].dump(), std::string("0.8")); // not 0.800000011920929
    }
    void passesOfAllEventsAreListed()
    {
        RunRecord record(opening());
        const auto pass = [](engine::PassKind kind, double startMs) {
            return engine::RunPass { .kind = kind, .startMs = startMs, .hostMs = {}, .deviceMs = {},
                .weightBytes = {}, .cacheBytes = {} };
        };
        record.apply(engine::PrefillProgress { 0, 2, 2, 0, { pass(engine::PassKind::Prefill, 1) } });
        engine::TokenDecoded decoded;
        record.apply(decoded);
        decoded.passes = { pass(engine::PassKind::Decode, 2) };
        record.apply(decoded);
        engine::RunEnded ended = capped();
        ended.passes = { pass(engine::PassKind::Discarded, 3) };
        record.apply(ended);
        const ordered_json& passes = record.json()["passes"];
        QCOMPARE(passes["list"].size(), size_t(2));
        QCOMPARE(passes["list"][0]["kind"], ordered_json("prefill"));
        QCOMPARE(passes["list"][1]["kind"], ordered_json("decode"));
        QCOMPARE(passes["discarded_list"].size(), size_t(1));
        RunRecord unobserved(opening());
        unobserved.apply(capped());
        QVERIFY(unobserved.json()["passes"]["list"].is_null());
        for (const char* key : { "template_ms", "tokenize_ms", "started_ms", "pauses" })
            QVERIFY2(unobserved.json()["times"][key].is_null(), key);
    }
    void eventsFillIt()
    {
        RunRecord record(opening());
        engine::TokenDecoded decoded;
        decoded.record.id = 4;
        decoded.record.top = { { 4, -0.25f }, { 5, -1.5f } };
        decoded.text = "a";
        record.apply(decoded);
        record.apply(engine::TextReleased { 0, "b" });
        QCOMPARE(record.json()["text"], ordered_json("ab"));
        QVERIFY(!record.isClosed());
        record.apply(capped());
        QVERIFY(record.isClosed());
        QCOMPARE(record.json()["tokens"][0]["top"].dump(), std::string("[[4,-0.25],[5,-1.5]]"));
        QCOMPARE(record.json()["stop"]["verdict"], ordered_json("capped"));
        QCOMPARE(record.json()["cache"]["reused_tokens"], ordered_json(1));
        QVERIFY(record.json()["cache"]["miss"].is_null()); // not observed in this one
        QVERIFY(record.json()["cache"]["room"].is_null());
        QCOMPARE(record.json()["times"]["ended_ms"], ordered_json(9.0));
        QVERIFY(record.json()["times"]["first_token_ms"].is_null());
        QVERIFY(record.json()["times"]["last_paint_ms"].is_null());
    }
    void aFileIsWrittenWhenTheRunOpensAndAgainWhenItEnds()
    {
        QTemporaryDir folder;
        RunOpening own = opening();
        own.model.path = folder.filePath("model").toStdString();
        std::ofstream(own.model.path) << "abc";
        const std::string path = folder.filePath("run.json").toStdString();
        auto file = RecordFile::open(path, own);
        QVERIFY(file);
        const auto written = [&path] {
            std::ifstream stream(path);
            return ordered_json::parse(stream, nullptr, false);
        };
        QVERIFY(written()["stop"].is_null());
        file->apply(capped());
        QVERIFY(file->close());
        QCOMPARE(written()["stop"]["reason"], ordered_json("length_cap"));
        // SHA-256 of "abc", FIPS 180-2 appendix B.1.
        QCOMPARE(written()["checkpoint"]["sha256"],
            ordered_json("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }
    void textIsAlwaysValidUtf8()
    {
        QCOMPARE(dumped({ { "name", "a\xFF" } }), std::string("{\"name\":\"a\xEF\xBF\xBD\"}"));
    }
};

QTEST_APPLESS_MAIN(TestRunRecord)
#include "tst_run_record.moc"
