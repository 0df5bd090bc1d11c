#include "app/runs/pass_list.h"

#include "app/runs/run_record.h"

#include <QTest>

using engine::PassKind;
using engine::RunPass;
using nlohmann::ordered_json;

namespace {
std::vector<RunPass> samplePasses()
{
    std::vector<RunPass> passes;
    passes.push_back({ .kind = PassKind::Prefill,
        .startMs = 1.0 / 3,
        .hostMs = 20.1,
        .deviceMs = 19.75,
        .firstPosition = 0,
        .positionCount = 64,
        .sequenceCount = 2,
        .weightBytes = uint64_t(1) << 40,
        .cacheBytes = 12345 });
    passes.push_back({ .kind = PassKind::Decode, .startMs = 30, .hostMs = 0.1, .deviceMs = {},
        .firstPosition = 64, .positionCount = 1, .weightBytes = {}, .cacheBytes = {} });
    passes.push_back({ .kind = PassKind::Discarded, .startMs = 31, .hostMs = {}, .deviceMs = {},
        .firstPosition = 65, .positionCount = 1, .weightBytes = {}, .cacheBytes = 7 });
    return passes;
}

/// Through text, as a file or the database keeps it.
ordered_json throughText(const ordered_json& json) { return ordered_json::parse(json.dump()); }
}

/// Passes in a run record, listed for programs and packed for the database.
class TestPassList : public QObject {
    Q_OBJECT
private slots:
    void bothFormsComeBackAsTheyWere()
    {
        ordered_json listed = ordered_json::object();
        app::writePassList(samplePasses(), listed);
        QVERIFY(app::readPasses(throughText(listed)) == samplePasses());
        ordered_json packed = ordered_json::object();
        app::writePackedPasses(samplePasses(), packed);
        QVERIFY(app::readPasses(throughText(packed)) == samplePasses());
    }

    void aListNamesItsNumbersAndKeepsWhatWasDiscardedApart()
    {
        ordered_json json = ordered_json::object();
        app::writePassList(samplePasses(), json);
        QCOMPARE(json["list"].size(), size_t(2));
        QCOMPARE(json["list"][1].dump(),
            std::string(R"({"kind":"decode","start_ms":30.0,"host_ms":0.1,"device_ms":null,)"
                        R"("first_position":64,"positions":1,"sequences":1,)"
                        R"("weight_bytes":null,"cache_bytes":null})"));
        QCOMPARE(json["discarded_list"].size(), size_t(1));
        QVERIFY(json["discarded_list"][0]["kind"] == "discarded");
    }

    void whatWasNotObservedIsNull()
    {
        ordered_json json = ordered_json::object();
        app::writePassList(std::vector<RunPass>(), json);
        app::writePackedPasses(std::vector<RunPass>(), json);
        for (const char* key : { "list", "discarded_list", "packed" })
            QVERIFY2(json[key].is_null(), key);
        QVERIFY(app::readPasses(json).empty());
        QVERIFY(app::readPasses(ordered_json()).empty()); // a record of an earlier time
        QVERIFY(app::readPasses(ordered_json { { "prefill", 1 }, { "decode", 3 } }).empty());
    }

    // Version, fields and their order are the format of stored runs.
    void bytesOfOlderFilesMeanTheSame()
    {
        const std::vector<uint8_t> cbor { 0x82, 0x01, 0x89, 0x01, 0xfa, 0x3f, 0x00, 0x00, 0x00, 0x02,
            0xf6, 0x18, 0x40, 0x01, 0x01, 0x19, 0x01, 0x00, 0xf6 };
        const std::string text
            = qCompress(cbor.data(), qsizetype(cbor.size())).toBase64().toStdString();
        const std::vector<RunPass> read = app::readPasses(ordered_json { { "packed", text } });
        QCOMPARE(read.size(), size_t(1));
        QVERIFY(read[0]
            == (RunPass { .kind = PassKind::Decode, .startMs = 0.5, .hostMs = 2.0, .deviceMs = {},
                .firstPosition = 64, .positionCount = 1, .weightBytes = 256, .cacheBytes = {} }));
    }

    void brokenListsAreEmptyAndNeverACrash()
    {
        ordered_json json = ordered_json::object();
        app::writePackedPasses(samplePasses(), json);
        const std::string text = json["packed"];
        for (size_t length = 0; length < text.size(); ++length)
            QVERIFY(app::readPasses(ordered_json { { "packed", text.substr(0, length) } }).size() <= 3);
        for (const char* broken :
            { R"({"list":[{}]})", R"({"list":[1]})", R"({"list":7,"discarded_list":"x"})",
                R"({"list":[{"kind":"other","start_ms":1}]})" })
            QVERIFY2(app::readPasses(ordered_json::parse(broken)).empty(), broken);
    }

    void aRunOfManyTokensPacksSmall()
    {
        std::vector<RunPass> passes;
        for (int i = 0; i < 32000; ++i)
            passes.push_back({ .kind = PassKind::Decode, .startMs = i * 15.1, .hostMs = 15.07,
                .deviceMs = 14.2, .firstPosition = i, .positionCount = 1,
                .weightBytes = 98'000'000, .cacheBytes = uint64_t(i) * 23040 });
        ordered_json json = ordered_json::object();
        app::writePackedPasses(passes, json);
        QVERIFY(json["packed"].get_ref<const std::string&>().size() < 32000 * 40);
        QVERIFY(app::readPasses(json) == passes);
    }
};

QTEST_GUILESS_MAIN(TestPassList)
#include "tst_pass_list.moc"
