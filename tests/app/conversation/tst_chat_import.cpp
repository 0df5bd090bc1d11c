#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "tests/app/conversation/chat_file_samples.h"
#include "tests/app/storage/store_samples.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <random>

using nlohmann::ordered_json;

namespace {

ordered_json sample() { return ordered_json::parse(app::chatToJson(tests::smallChat())); }

QString errorOf(const ordered_json& json)
{
    const engine::Result<app::ChatFile> read = app::chatFromJson(json.dump());
    return read ? QString() : QString::fromStdString(read.error().message);
}

/// Settings and records are kept as they are, whatever is in them.
bool isFree(const std::string& key)
{
    return key == "settings" || key == "record" || key == "sampling";
}

}

class TestChatImport : public QObject {
    Q_OBJECT
private slots:
    void everyMissingFieldIsNamed();
    void everyFieldOfAnotherKindIsNamed();
    void aFileCutOffAnywhereIsAnError();
    void damagedBytesNeverCrash();
    void whatContradictsItselfIsAnError();
    void aFileOfVersion1HasNoSources();
    void aFileOfVersion2HasNothingThatForksKept();
    void aNewerFileSaysSo();
    void aFileNestedWithoutEndIsAnError();
    void fieldsThatAreNotKnownAreLeftAlone();
};

namespace {

/// The paths of all values that the format knows, as JSON pointers. By value: a path is in the list
/// that grows.
void collect(const ordered_json& node, std::string pointer, std::vector<std::string>& all)
{
    if (node.is_object())
        for (const auto& [key, value] : node.items()) {
            all.push_back(pointer + "/" + key);
            if (!isFree(key))
                collect(value, all.back(), all);
        }
    else if (node.is_array())
        for (size_t i = 0; i < node.size(); ++i) {
            all.push_back(pointer + "/" + std::to_string(i));
            collect(node[i], all.back(), all);
        }
}

std::vector<std::string> allPaths()
{
    std::vector<std::string> all;
    collect(sample(), "", all);
    return all;
}

std::string lastKey(const std::string& pointer) { return pointer.substr(pointer.rfind('/') + 1); }
bool isIndex(const std::string& key) { return !key.empty() && std::isdigit(uint8_t(key[0])); }

}

void TestChatImport::everyMissingFieldIsNamed()
{
    const std::vector<std::string> paths = allPaths();
    QVERIFY(paths.size() > 100);
    for (const std::string& path : paths) {
        const std::string key = lastKey(path);
        if (isIndex(key))
            continue; // a list may be shorter
        ordered_json json = sample();
        const ordered_json::json_pointer pointer(path);
        json[pointer.parent_pointer()].erase(key);
        const QString error = errorOf(json);
        QVERIFY2(error.contains(QString::fromStdString(key) + " is missing"),
            qPrintable(QString::fromStdString(path) + ": " + error));
    }
}

void TestChatImport::everyFieldOfAnotherKindIsNamed()
{
    const ordered_json kinds[]
        = { nullptr, true, -7.5, 1e300, "strange", ordered_json::array(), ordered_json::object(),
              ordered_json::array({ nullptr }), -1, std::numeric_limits<uint64_t>::max() };
    for (const std::string& path : allPaths()) {
        int refused = 0;
        for (const ordered_json& kind : kinds) {
            ordered_json json = sample();
            json[ordered_json::json_pointer(path)] = kind;
            const QString error = errorOf(json);
            refused += !error.isEmpty();
            // The path of the field, or of the list that it is in.
            std::string key = lastKey(path);
            if (isIndex(key))
                key = lastKey(path.substr(0, path.rfind('/')));
            if (!error.isEmpty() && !isIndex(key) && key != "id")
                QVERIFY2(error.contains(QString::fromStdString(key)),
                    qPrintable(QString::fromStdString(path) + ": " + error));
        }
        QVERIFY2(refused >= 5, path.c_str());
    }
}

void TestChatImport::aFileCutOffAnywhereIsAnError()
{
    const std::string whole = sample().dump();
    for (size_t length = 0; length < whole.size(); ++length)
        QVERIFY(!app::chatFromJson(std::string_view(whole).substr(0, length)));
    VERIFY_OK(app::chatFromJson(whole));
}

void TestChatImport::damagedBytesNeverCrash()
{
    std::mt19937 random(7);
    const std::string whole = sample().dump();
    for (int round = 0; round < 1500; ++round) {
        std::string damaged = whole;
        for (uint32_t i = 0; i < 1 + random() % 3; ++i)
            damaged[random() % damaged.size()] = char(random());
        const engine::Result<app::ChatFile> read = app::chatFromJson(damaged);
        if (read)
            QCOMPARE(read->details.size(), read->chat.runs.size());
        else
            QVERIFY(!read.error().message.empty());
    }
}

void TestChatImport::whatContradictsItselfIsAnError()
{
    ordered_json json = sample();
    json["messages"][3]["parent"] = json["messages"][3]["id"];
    QCOMPARE(errorOf(json), QString("messages[3].parent is not the id of an earlier message"));
    json = sample();
    json["messages"][1]["id"] = json["messages"][0]["id"];
    QCOMPARE(errorOf(json), QString("messages[1].id occurs twice"));
    json = sample();
    json["messages"][0]["runs"] = json["messages"][1]["runs"];
    QVERIFY(errorOf(json).startsWith("messages[0].runs belong to no answer"));
    json = sample();
    json["messages"][1]["runs"][0]["stop_reason"] = "happy_end";
    QCOMPARE(errorOf(json),
        QString::fromUtf8("messages[1].runs[0].stop_reason is “happy_end”, which is unknown"));
    json = sample();
    json["messages"][1]["runs"][1]["tokens"][0]["bytes"] = "f";
    QVERIFY(errorOf(json).startsWith("messages[1].runs[1].tokens[0].bytes "));
    json = sample();
    json["sources"][0]["text"] = "Rinse it twice.";
    QCOMPARE(errorOf(json),
        QString("sources[0].sha256 is not that of the text: one of them was changed"));
    json["sources"][0]["text"] = { { "hex", "ff" } };
    QVERIFY(errorOf(json).startsWith("sources[0].text cannot be a source text: "));
    json = sample();
    json["sources"][0]["id"] = json["messages"][0]["id"];
    QCOMPARE(errorOf(json), QString("messages[0].id occurs twice"));
}

void TestChatImport::aFileOfVersion1HasNoSources()
{
    ordered_json json = sample();
    json["version"] = 1;
    json.erase("sources");
    const engine::Result<app::ChatFile> read = app::chatFromJson(json.dump());
    VERIFY_OK(read);
    QVERIFY(read->chat.sources.empty());
    QCOMPARE(read->chat.messages.size(), size_t(4));
}

void TestChatImport::aFileOfVersion2HasNothingThatForksKept()
{
    ordered_json json = sample();
    QCOMPARE(app::chatFromJson(json.dump())->details[0].kept, tests::sampleKept(3));
    json["messages"][1]["runs"][0].erase("kept");
    QVERIFY(errorOf(json).contains("kept"));
    json["version"] = 2;
    json["messages"][1]["runs"][1].erase("kept");
    const engine::Result<app::ChatFile> read = app::chatFromJson(json.dump());
    VERIFY_OK(read);
    QCOMPARE(read->details[0].kept, app::KeptTokens {});
    QCOMPARE(read->details[0].tokens.size(), size_t(2));
}

void TestChatImport::aNewerFileSaysSo()
{
    ordered_json json = sample();
    json["version"] = app::ChatFile::kVersion + 1;
    QVERIFY(errorOf(json).contains("newer Tokenglass"));
    json["format"] = "other-chat";
    QVERIFY(errorOf(json).startsWith("format "));
}

void TestChatImport::aFileNestedWithoutEndIsAnError()
{
    const std::string deep(2'000'000, '[');
    QVERIFY(!app::chatFromJson(deep));
    std::string closed = R"({"format":)" + std::string(500'000, '[') + std::string(500'000, ']');
    QVERIFY(!app::chatFromJson(closed + "}"));
}

void TestChatImport::fieldsThatAreNotKnownAreLeftAlone()
{
    ordered_json json = sample();
    json["later"] = 1;
    json["messages"][0]["later"] = { 1, 2 };
    QCOMPARE(errorOf(json), QString());
}

QTEST_GUILESS_MAIN(TestChatImport)
#include "tst_chat_import.moc"
