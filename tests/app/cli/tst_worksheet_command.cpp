#include "app/runs/run_json.h"
#include "app/runs/run_record.h"
#include "tests/app/cli/command_run.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace engine;
using namespace tests;
using nlohmann::json;

namespace {
const WordFile kWords { { "Hello", "!", " How", " can", " I" }, "" };

/// Every word has a chance at each step.
ScriptedModelOptions chatter()
{
    Script script { .vocabularySize = kWords.vocabularySize() };
    for (int step = 0; step < 40; ++step) {
        auto& scores = script.steps.emplace_back();
        for (size_t i = 0; i < kWords.words.size(); ++i)
            scores.push_back({ kWords.word(i), -0.3f * float(i) });
    }
    return { .script = script };
}
CommandOutcome worksheet(const std::vector<std::string>& words)
{
    return runWorksheet(words, chatter());
}
}

/// Records in files as pages.
class TestWorksheetCommand : public QObject {
    Q_OBJECT
private slots:
    void recordsAndResponsesBecomeOnePage()
    {
        app::RunOpening opening;
        opening.model.path = "m.gguf";
        opening.promptText = "Hello";
        opening.startedBy = "command_line";
        write("run.json", app::dumped(app::RunRecord(opening).json()));
        write("response.json", "{\"choices\": [{\"text\": \"Hi\", \"finish_reason\": \"length\"}], \"model\": \"theirs\"}");
        const CommandOutcome page = worksheet({ path("run.json"), path("response.json") });
        QVERIFY2(page.exitCode == 0, page.err.c_str());
        QVERIFY(page.out.find("| File | m.gguf |  |") != std::string::npos);
        QVERIFY(page.out.find("| Reason |  | length\\_cap |") != std::string::npos);
        QVERIFY(worksheet({ path("run.json"), "--format", "html" }).out.starts_with("<!DOCTYPE html>"));
        QVERIFY(worksheet({ path("run.json"), "--format", "tsv" }).out.starts_with("section\tfield\trun\n"));
    }
    void whatIsWrongIsSaid()
    {
        QCOMPARE(worksheet({}).exitCode, 2);
        QCOMPARE(worksheet({ path("absent.json") }).exitCode, 1);
        write("other.json", "{\"a\": 1}");
        const CommandOutcome other = worksheet({ path("other.json") });
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(other.err.find("no run record") != std::string::npos, other.err.c_str());
        write("run.json", "{\"schema\": 1, \"prompt\": {}, \"tokens\": []}");
        QCOMPARE(worksheet({ path("run.json"), "--format", "pdf" }).exitCode, 2);
        QCOMPARE(worksheet({ path("run.json") }).exitCode, 0); // almost nothing in it: blanks
    }


    void aRunIsPlannedStartedAndFilled()
    {
        const std::string model = path("words.gguf");
        kWords.save(model);
        const std::vector<std::string> words { "--model", model, "--raw", "Say", "--max-tokens", "4", "--seed", "5" };
        const CommandOutcome blank = worksheet(words);
        QVERIFY2(blank.exitCode == 0, blank.err.c_str());
        QVERIFY(blank.out.starts_with("# Run worksheet\n\nA planned run: "));
        for (const char* line : { "| File | words.gguf |", "| Seed | 5 |", "| Length cap, new tokens | 4 |",
                 "| Started by |  |", "| New tokens |  |", "| Reason |  |", "| Time to completion |  |" })
            QVERIFY2(blank.out.find(line) != std::string::npos, line);
        std::vector<std::string> asJson = words;
        asJson.insert(asJson.end(), { "--format", "json" });
        write("plan.json", worksheet(asJson).out);
        QCOMPARE(worksheet({ path("plan.json") }).out, blank.out);

        const CommandOutcome filled = worksheet({ path("plan.json"), "--run", "--model", model, "--format", "json" });
        QVERIFY2(filled.exitCode == 3, filled.err.c_str()); // capped
        const json record = json::parse(filled.out);
        const json plan = json::parse(worksheet(asJson).out);
        QCOMPARE(record["started_by"], json("worksheet"));
        QCOMPARE(record["stop"]["reason"], json("length_cap"));
        QCOMPARE(record["tokens"].size(), size_t(4));
        for (const char* key : { "checkpoint", "tokenizer", "template", "prompt", "sampling", "caps", "device" })
            QCOMPARE(record[key], plan[key]);
        write("run.json", filled.out);
        QCOMPARE(runVerify({ path("run.json"), "--model", model }, chatter()).exitCode, 0);
        const CommandOutcome again = worksheet({ path("run.json"), "--run", "--model", model });
        QCOMPARE(again.exitCode, 1);
        QVERIFY2(again.err.find("not a plan") != std::string::npos, again.err.c_str());
    }
    void anotherModelIsNotRun()
    {
        const std::string model = path("first.gguf");
        kWords.save(model);
        write("plan.json", worksheet({ "--model", model, "--raw", "Say", "--format", "json" }).out);
        const std::string other = path("second.gguf");
        kWords.save(other);
        const CommandOutcome renamed = worksheet({ path("plan.json"), "--run", "--model", other });
        QCOMPARE(renamed.exitCode, 1);
        QVERIFY2(renamed.err.find("another run than the planned one") != std::string::npos
                && renamed.err.find("File (first.gguf → second.gguf)") != std::string::npos,
            renamed.err.c_str());
        WordFile others = kWords;
        others.words.back() = " You";
        others.save(other);
        QVERIFY(worksheet({ path("plan.json"), "--run", "--model", other }).err.find("vocabulary") != std::string::npos);
        const CommandOutcome absent = worksheet({ path("plan.json"), "--run" });
        QVERIFY2(absent.exitCode == 1 && absent.err.find("first.gguf") != std::string::npos, absent.err.c_str());
    }
    void planningAndRecordsDoNotMix()
    {
        write("run.json", "{\"schema\": 1, \"prompt\": {}, \"tokens\": []}");
        QCOMPARE(worksheet({ path("run.json"), "--prompt", "Hi" }).exitCode, 2);
        QCOMPARE(worksheet({ path("run.json"), "--model", "m.gguf" }).exitCode, 2);
        QCOMPARE(worksheet({ "--run" }).exitCode, 2);
        QCOMPARE(worksheet({ "--prompt", "Hi" }).exitCode, 2); // no model
        QCOMPARE(worksheet({ "--model", path("absent.gguf"), "--prompt", "Hi" }).exitCode, 1);
        QCOMPARE(worksheet({ path("run.json"), path("run.json"), "--run" }).exitCode, 2);
        QCOMPARE(worksheet({ "--model", path("absent.gguf"), "--record", "x" }).exitCode, 2); // a plan records nothing
        QCOMPARE(worksheet({ "--help" }).exitCode, 0);
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    void write(const char* name, const std::string& text) const { std::ofstream(path(name)) << text; }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestWorksheetCommand)
#include "tst_worksheet_command.moc"
