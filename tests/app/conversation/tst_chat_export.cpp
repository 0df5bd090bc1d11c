#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "app/runs/run_record.h"
#include "tests/app/conversation/chat_file_samples.h"
#include "tests/app/storage/store_samples.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <set>

using engine::StopReason;

class TestChatExport : public QObject {
    Q_OBJECT
private slots:
    void everythingIsEqualAfterARoundTripThroughAFileAndTheStore();
    void theFileSaysWhatItIsAndHoldsTheTree();
    void anImportTakesNewNumbersAndLeavesTheOriginal();
    void aRunUnderWayComesBackAsInterrupted();
    void bytesThatAreNoTextAndNumbersThatAreNoneSurvive();
    void whatIsNotThereIsAnError();
};

void TestChatExport::everythingIsEqualAfterARoundTripThroughAFileAndTheStore()
{
    std::mt19937 random(20261130);
    const tests::StoreFolder folder;
    app::Storage storage(folder.databasePath());
    app::IdSource ids;
    for (int round = 0; round < 60; ++round) {
        const app::ChatFile kept
            = tests::keptAndRead(storage, tests::randomChat(random, 1000 * (round + 1)));
        const std::string json = app::chatToJson(kept);
        const engine::Result<app::ChatFile> read = app::chatFromJson(json);
        VERIFY_OK(read);
        QVERIFY(tests::numbered(*read) == tests::numbered(kept));
        QCOMPARE(app::chatToJson(*read), json);

        const app::ChatFile copy = app::withNewIds(*read, ids);
        QVERIFY(tests::numbered(tests::keptAndRead(storage, copy)) == tests::numbered(kept));
        QVERIFY(tests::readFrom(storage, kept.chat.conversation.id, kept.folderName) == kept);
    }
}

void TestChatExport::theFileSaysWhatItIsAndHoldsTheTree()
{
    const auto json = nlohmann::json::parse(app::chatToJson(tests::smallChat()));
    QVERIFY(json["format"] == "tokenglass-chat");
    QVERIFY(json["version"] == 3);
    QVERIFY(json["conversation"]["title"] == "Soup");
    QVERIFY(json["conversation"]["folder"] == "Kitchen");
    QVERIFY(json["conversation"]["settings"]["length_cap"] == 12);
    QCOMPARE(json["sources"].size(), size_t(1));
    QVERIFY(json["sources"][0]["name"] == "rice.md");
    QVERIFY(json["sources"][0]["text"] == "Rinse it.\r\n");
    QVERIFY(json["sources"][0]["sha256"] == app::sha256Hex("Rinse it.\r\n"));
    const auto& messages = json["messages"];
    QCOMPARE(messages.size(), size_t(4));
    QVERIFY(messages[0]["parent"].is_null());
    QVERIFY(messages[2]["parent"] == messages[0]["id"]);
    const auto& run = messages[1]["runs"][0];
    QVERIFY(run["stop_reason"] == "length_cap");
    QVERIFY(run["record"]["schema"] == 1);
    QVERIFY(run["prompt_ids"] == nlohmann::json({ 1, 4093, 198, 49151 }));
    QVERIFY(run["tokens"][1]["id"] == 49150);
    QVERIFY(run["tokens"][0]["top"].size() == 20);
}

void TestChatExport::anImportTakesNewNumbersAndLeavesTheOriginal()
{
    app::IdSource ids;
    const app::ChatFile file = tests::smallChat();
    const app::ChatFile copy = app::withNewIds(file, ids);
    std::set<int64_t> numbers { copy.chat.conversation.id };
    for (const app::StoredMessage& message : copy.chat.messages)
        numbers.insert(message.id);
    for (const app::StoredRun& run : copy.chat.runs)
        numbers.insert(run.id);
    for (const app::StoredSource& source : copy.chat.sources) {
        numbers.insert(source.id);
        QCOMPARE(source.conversation, copy.chat.conversation.id);
    }
    QCOMPARE(numbers.size(), size_t(8));
    QVERIFY(*numbers.begin() > 8);
    QVERIFY(tests::numbered(copy) == tests::numbered(file));
}

void TestChatExport::aRunUnderWayComesBackAsInterrupted()
{
    app::ChatFile file = tests::smallChat();
    file.chat.runs[1].reason.reset();
    const engine::Result<app::ChatFile> read = app::chatFromJson(app::chatToJson(file));
    VERIFY_OK(read);
    QVERIFY(read->chat.runs[1].reason == StopReason::Interrupted);
    QVERIFY(read->chat.runs[0].reason == StopReason::LengthCap);
}

void TestChatExport::bytesThatAreNoTextAndNumbersThatAreNoneSurvive()
{
    app::ChatFile file = tests::smallChat();
    file.chat.runs[0].text = std::string("a\xff\x00z", 4);
    file.chat.runs[0].record = "{ \"spaced\": 1 }"; // kept as it is written
    file.chat.runs[1].record = R"({"hex":"zz"})";
    file.details[0].promptText = "\xc3";
    file.chat.sources[0].text = std::string("\xef\xbb\xbfmark, zero \0", 14);
    file.details[0].tokens[0].logprob = -std::numeric_limits<float>::infinity();
    file.details[0].tokens[0].entropy = -0.0F;
    file.details[0].tokens[0].endProbability = std::numeric_limits<float>::quiet_NaN();
    engine::Result<app::ChatFile> read = app::chatFromJson(app::chatToJson(file));
    VERIFY_OK(read);
    QVERIFY(std::isnan(*read->details[0].tokens[0].endProbability));
    QVERIFY(std::signbit(*read->details[0].tokens[0].entropy));
    read->details[0].tokens[0].endProbability = file.details[0].tokens[0].endProbability = 0;
    QVERIFY(tests::numbered(*read) == tests::numbered(file));
}

void TestChatExport::whatIsNotThereIsAnError()
{
    const tests::StoreFolder folder;
    app::Storage storage(folder.databasePath());
    std::optional<bool> failed;
    app::readChatFile(storage, 4711, {},
        [&](const engine::Result<app::ChatFile>& file) { failed = !file.has_value(); });
    QTRY_VERIFY(failed.has_value());
    QVERIFY(*failed);
}

QTEST_GUILESS_MAIN(TestChatExport)
#include "tst_chat_export.moc"
