#include "tests/app/cli/command_run.h"
#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <random>

using namespace engine;
using namespace tests;
using nlohmann::json;

namespace {
const WordFile kWords { { "Hello", "!", " How", " can", " I", " assist", " you", " today", "?" }, "" };

/// Every word has a chance at each step.
ScriptedModelOptions chatter(uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> logprob(-3, 0);
    Script script { .vocabularySize = kWords.vocabularySize() };
    for (int step = 0; step < 40; ++step) {
        auto& scores = script.steps.emplace_back();
        for (size_t i = 0; i < kWords.words.size(); ++i)
            scores.push_back({ kWords.word(i), logprob(random) });
        std::ranges::sort(scores, std::greater(), &ScriptedScore::logprob);
    }
    return { .script = script };
}

json readFile(const std::string& path)
{
    std::ifstream file(path);
    return json::parse(file, nullptr, false);
}
void writeFile(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}
}

/// A recorded run, run again.
class TestVerifyCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_model = path("words.gguf");
        kWords.save(m_model);
        m_record = path("run.json");
        QCOMPARE(runRun({ "--model", m_model, "--raw", "Say", "--max-tokens", "24", "--seed", "5",
                     "--temperature", "1", "--repeat-penalty", "1.2", "--record", m_record },
                     chatter(1)).exitCode, 3);
    }

    void theSameModelSaysTheSame()
    {
        const CommandOutcome outcome = runVerify({ m_record, "--model", m_model }, chatter(1));
        QVERIFY2(outcome.exitCode == 0, (outcome.out + outcome.err).c_str());
        QVERIFY2(outcome.out.starts_with("equal: all 24 tokens"), outcome.out.c_str());
        const CommandOutcome forPrograms = runVerify({ m_record, "--model", m_model, "--json" }, chatter(1));
        QCOMPARE(forPrograms.lastLine()["equal"], json(true));
        QVERIFY(forPrograms.lastLine()["first_difference"].is_null());
    }

    void anotherModelIsShownWhereItParts()
    {
        const CommandOutcome outcome = runVerify({ m_record, "--model", m_model, "--json" }, chatter(2));
        QCOMPARE(outcome.exitCode, 6);
        const json difference = outcome.lastLine()["first_difference"];
        const size_t token = difference["token"].get<size_t>();
        const json recorded = readFile(m_record)["tokens"][token];
        QCOMPARE(difference["recorded"]["id"], recorded["id"]);
        QCOMPARE(difference["recorded"]["top"], recorded["top"]);
        QVERIFY(difference["replayed"]["id"] != recorded["id"]);
        QCOMPARE(difference["replayed"]["top"].size(), size_t(20));
        const CommandOutcome told = runVerify({ m_record, "--model", m_model }, chatter(2));
        QVERIFY2(told.out.find("different from token " + std::to_string(token + 1)) == 0, told.out.c_str());
        QVERIFY(told.out.find("  recorded: ") != std::string::npos && told.out.find("  now: ") != std::string::npos);
    }

    void tokensThatSomebodyPutInAreTakenAsTheyAre()
    {
        json record = readFile(m_record);
        json& put = record["tokens"][10];
        put["id"] = put["id"].get<int>() == kWords.word(0) ? kWords.word(1) : kWords.word(0);
        put["source"] = "forced";
        record["tokens"].get_ref<json::array_t&>().resize(11); // what follows would be another story
        record["caps"]["length"] = 11;
        writeFile(path("forced.json"), record.dump());
        const CommandOutcome outcome = runVerify({ path("forced.json"), "--model", m_model }, chatter(1));
        QVERIFY2(outcome.exitCode == 0, (outcome.out + outcome.err).c_str());
        put["source"] = "sampled";
        writeFile(path("forced.json"), record.dump());
        const CommandOutcome sampled = runVerify({ path("forced.json"), "--model", m_model, "--json" }, chatter(1));
        QCOMPARE(sampled.exitCode, 6);
        QCOMPARE(sampled.lastLine()["first_difference"]["token"], json(10));
    }

    void aReasonThatDoesNotFollowIsTold()
    {
        json record = readFile(m_record);
        record["stop"]["reason"] = "end_token";
        writeFile(path("reason.json"), record.dump());
        const CommandOutcome outcome = runVerify({ path("reason.json"), "--model", m_model }, chatter(1));
        QCOMPARE(outcome.exitCode, 6);
        QVERIFY2(outcome.out.find("end_token does not follow from its tokens: they end by length_cap") != std::string::npos,
            outcome.out.c_str());
    }

    void aStopStringThatBeganInAContinuedDraftFollows()
    {
        const TokenId newline = WordFile::kFirstByte + '\n';
        const ScriptedModelOptions lines { .script = Script::ofTokens(
                                               { kWords.word(0), newline, newline, kWords.word(1) }, kWords.vocabularySize()) };
        const CommandOutcome run = runRun({ "--model", m_model, "--raw", "Say", "--stop", "\n\n", "--temperature", "0",
                                              "--record", path("lines.json") }, lines);
        QVERIFY2(run.exitCode == 0, run.err.c_str());
        json record = readFile(path("lines.json"));
        QCOMPARE(record["tokens"].size(), size_t(3));
        for (size_t i = 0; i < 2; ++i) // as if a run before had written them
            record["prompt"]["token_ids"].push_back(record["tokens"][i]["id"]);
        record["prompt"]["draft_token_count"] = 2;
        record["tokens"].erase(0);
        record["tokens"].erase(0);
        writeFile(path("continued.json"), record.dump());
        const CommandOutcome verified = runVerify({ path("continued.json"), "--model", m_model }, lines);
        QVERIFY2(verified.exitCode == 0, (verified.out + verified.err).c_str());
        QVERIFY2(verified.out.starts_with("equal: all 1 tokens"), verified.out.c_str());
        record["stop_strings"] = json::array({ "!\n" }); // this one did not end it
        writeFile(path("continued.json"), record.dump());
        const CommandOutcome other = runVerify({ path("continued.json"), "--model", m_model }, lines);
        QCOMPARE(other.exitCode, 6);
        QVERIFY2(other.out.find("stop_string does not follow from its tokens") != std::string::npos, other.out.c_str());
    }

    void whatCannotBeVerifiedIsSaidInWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("message");
        json record = readFile(m_record);
        record["schema"] = 9;
        QTest::newRow("later schema") << QString::fromStdString(record.dump()) << 1 << "its schema is 9; this program knows schema 1";
        record["schema"] = 1;
        record["tokenizer"]["vocabulary_sha256"] = std::string(64, 'a');
        QTest::newRow("other vocabulary") << QString::fromStdString(record.dump()) << 1 << "vocabulary is not that of the record";
        QTest::newRow("cut off") << QString::fromStdString(record.dump().substr(0, 400)) << 1 << "not whole JSON";
        QTest::newRow("something else") << "{\"a\": 1}" << 1 << "it is no run record";
        record = readFile(m_record);
        record["prompt"]["token_ids"] = nullptr;
        QTest::newRow("no ids") << QString::fromStdString(record.dump()) << 1 << "does not tell the prompt's token ids";
        record = readFile(m_record);
        record["tokens"] = json::array();
        QTest::newRow("no tokens") << QString::fromStdString(record.dump()) << 1 << "the record holds no tokens";
        QTest::newRow("deep") << QString(100000, '[') << 1 << "not whole JSON";
    }
    void whatCannotBeVerifiedIsSaidInWords()
    {
        QFETCH(QString, text);
        QFETCH(int, exitCode);
        QFETCH(QString, message);
        writeFile(path("bad.json"), text.toStdString());
        const CommandOutcome outcome = runVerify({ path("bad.json"), "--model", m_model }, chatter(1));
        QCOMPARE(outcome.exitCode, exitCode);
        QVERIFY2(QString::fromStdString(outcome.err).contains(message), outcome.err.c_str());
    }

    void withoutAModelFileItSaysWhichIsNeeded()
    {
        const CommandOutcome outcome = runVerify({ m_record }, chatter(1));
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.err.find("words.gguf") != std::string::npos, outcome.err.c_str());
        QCOMPARE(runVerify({ path("absent.json"), "--model", m_model }, chatter(1)).exitCode, 1);
        json supplied = readFile(m_record); // as the guide writes one
        supplied["checkpoint"] = nullptr;
        writeFile(path("supplied.json"), supplied.dump());
        const CommandOutcome unknown = runVerify({ path("supplied.json") }, chatter(1));
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.find("names no model file") != std::string::npos, unknown.err.c_str());
    }

    void aRealRunIsEqualToItsRecord()
    {
        const auto model = realModel(kSmolLM2);
        if (!model)
            QSKIP(kNoModel);
        const QString file = QString::fromStdString(model->string());
        const QString record = QString::fromStdString(path("real.json"));
        QCOMPARE(runProgram({ "run", "--model", file, "--prompt", "Name three colours.", "--max-tokens", "20",
                     "--seed", "7", "--record", record }).exitCode, 3);
        const ProgramRun verified = runProgram({ "verify", record, "--model", file });
        QVERIFY2(verified.exitCode == 0 && verified.output.startsWith("equal: all 20 tokens"),
            (verified.output + verified.errors).constData());
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
    std::string m_model;
    std::string m_record;
};

QTEST_GUILESS_MAIN(TestVerifyCommand)
#include "tst_verify_command.moc"
