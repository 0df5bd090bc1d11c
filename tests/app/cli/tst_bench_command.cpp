#include "tests/app/cli/command_run.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace engine;
using namespace tests;
using nlohmann::json;

namespace {
const WordFile kWords { { " one", " two", " three" } };

/// Ends after three words, again and again: nothing that ignores end tokens stops there.
ScriptedModelOptions counting()
{
    Script script { .vocabularySize = kWords.vocabularySize() };
    for (int i = 0; i < 40; ++i)
        script.steps.push_back({ { i % 4 == 3 ? WordFile::kEnd : kWords.word(size_t(i % 4)), 0 } });
    return { .script = script };
}
}

class TestBenchCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_model = m_folder.filePath("words.gguf").toStdString();
        kWords.save(m_model);
    }
    void itPrintsOneObjectWithBothSpeedsAndTheDevice()
    {
        const CommandOutcome bench = runBench(
            { "--model", m_model, "--prompt-tokens", "25", "--decode-tokens", "9", "--json" },
            counting());
        QCOMPARE(bench.exitCode, 0);
        QCOMPARE(bench.lines().size(), size_t(1));
        const json result = bench.lastLine();
        QVERIFY(result["prefill_tokens_per_s"].get<double>() > 0);
        QVERIFY(result["decode_tokens_per_s"].get<double>() > 0);
        QCOMPARE(result["device"], json("script"));
        QCOMPARE(result["prompt_token_ids"].size(), size_t(25));
        QCOMPARE(result["token_ids"].size(), size_t(9));
    }
    void itGeneratesWhatRunDoes()
    {
        const json bench = runBench(
            { "--model", m_model, "--prompt-tokens", "25", "--decode-tokens", "9", "--json" },
            counting())
                               .lastLine();
        const json run = runRun({ "--model", m_model, "--raw", bench["prompt_text"], "--max-tokens",
                                    "9", "--temperature", "0", "--ignore-end", "--json" },
            counting())
                             .lastLine();
        QCOMPARE(run["prompt_token_ids"], bench["prompt_token_ids"]);
        QCOMPARE(run["token_ids"], bench["token_ids"]);
        QCOMPARE(run["stop_reason"], json("length_cap"));
    }
    void aLongContextIsFilledOnceAndReused()
    {
        const json result = runBench({ "--model", m_model, "--prompt-tokens", "5",
                                         "--decode-tokens", "9", "--context", "200", "--json" },
            counting())
                                .lastLine();
        const json context = result["context"];
        QCOMPARE(context["tokens"], json(200));
        QCOMPARE(context["reused_tokens"], json(104)); // all but the last 96
        for (const char* time :
            { "decode_ms", "decode_ms_at_0", "first_token_ms_cold", "first_token_ms_reused" })
            QVERIFY2(context[time].get<double>() > 0, time);
    }
    void inspectionIsComparedWithNone()
    {
        const json result = runBench({ "--model", m_model, "--prompt-tokens", "5",
                                         "--decode-tokens", "9", "--inspection", "--json" },
            counting())
                                .lastLine();
        QVERIFY(result["inspection"]["on_ms"].get<double>() > 0);
        QVERIFY(result["inspection"]["off_ms"].get<double>() > 0);
        QVERIFY(!result.contains("context"));
    }
    void itSaysWhatItMeasuredInWords()
    {
        const CommandOutcome bench = runBench({ "--model", m_model, "--prompt-tokens", "5",
                                                  "--decode-tokens", "9", "--context", "100" },
            counting());
        QCOMPARE(bench.exitCode, 0);
        for (const char* words : { "read 5 tokens at ", "wrote 9 at ", "CPU time ",
                 "decode at a context of 100: ", " tokens reused" })
            QVERIFY2(bench.out.find(words) != std::string::npos, bench.out.c_str());
    }
    void aSyntheticModelIsWrittenReadAndRemoved()
    {
        // The scripted engine reads its vocabulary only.
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        const CommandOutcome bench = runBench({ "--synthetic", "smollm2", "--layers", "1",
                                                  "--prompt-tokens", "25", "--decode-tokens", "9" },
            counting());
        QVERIFY2(bench.exitCode == 0, bench.err.c_str());
        QVERIFY(bench.err.find("shape of SmolLM2-135M Q4_1") != std::string::npos);
        QVERIFY(bench.err.find(m_folder.filePath("cache").toStdString()) != std::string::npos);
        QVERIFY(QDir(m_folder.filePath("cache/tokenglass")).isEmpty());
    }
    void theProbeNeedsNoModel()
    {
        const CommandOutcome probe = runBench({ "--probe", "--json" }, counting());
        QCOMPARE(probe.exitCode, 0);
        const json result = probe.lastLine();
        QCOMPARE(result["device"], json("measured by a script"));
        QCOMPARE(result["uuid"], json("77"));
        QCOMPARE(result["probe"],
            json({ { "stream_bytes", 134217728 }, { "texel_gb_per_s", 20.0 }, { "storage_gb_per_s", 5.0 },
                { "dispatch_us", 12.0 }, { "submit_and_wait_us", 34.0 }, { "gmac_per_s", 80.0 } }));
        const CommandOutcome words = runBench({ "--probe" }, counting());
        for (const char* part : { "measured by a script", "20.00 GB/s", "5.00 GB/s", "12.00 us", "34.00 us", "80.00 GMAC/s" })
            QVERIFY2(words.out.find(part) != std::string::npos, words.out.c_str());
    }
    void aProbeThatFailsIsAnError()
    {
        const CommandOutcome probe = runBench({ "--probe", "--device", "nothing" }, counting());
        QCOMPARE(probe.exitCode, 1);
        QVERIFY(probe.err.find("nothing") != std::string::npos);
        QCOMPARE(runBench({ "--model", m_model, "--operations", "--device", "nothing" }, counting()).exitCode, 1);
    }
    void aProfileIsATraceOfTheRunAndChangesNoFigure()
    {
        const std::string path = m_folder.filePath("trace.json").toStdString();
        const CommandOutcome bench = runBench({ "--model", m_model, "--prompt-tokens", "25", "--decode-tokens",
                                                  "9", "--profile", path, "--json" },
            counting());
        QCOMPARE(bench.exitCode, 0);
        QCOMPARE(bench.lastLine()["token_ids"].size(), size_t(9));
        QCOMPARE(bench.lastLine()["profile"]["probe"]["gmac_per_s"], json(80.0));
        std::ifstream file(path);
        const json trace = json::parse(file, nullptr, false);
        QVERIFY(trace["traceEvents"].is_array());
        int chosen = 0;
        int delivered = 0;
        for (const json& event : trace["traceEvents"]) {
            chosen += event["name"] == "choose" && event["ph"] == "X";
            delivered += event["name"] == "token to its reader" && event["ph"] == "e";
        }
        QCOMPARE(chosen, 9);
        QCOMPARE(delivered, 9);
    }
    void aTraceThatCannotBeWrittenFailsWithItsPath()
    {
        const CommandOutcome bench = runBench(
            { "--model", m_model, "--decode-tokens", "9", "--profile", "/nowhere/trace.json" }, counting());
        QCOMPARE(bench.exitCode, 1);
        QVERIFY2(bench.err.find("/nowhere/trace.json") != std::string::npos, bench.err.c_str());
    }
    void aPromptThatDoesNotFitFails()
    {
        ScriptedModelOptions options = counting();
        options.script.contextLength = 10;
        const CommandOutcome bench
            = runBench({ "--model", m_model, "--prompt-tokens", "25", "--json" }, options);
        QCOMPARE(bench.exitCode, 1);
        QCOMPARE(bench.out, std::string());
        QVERIFY(bench.err.find("25") != std::string::npos);
    }
    void wrongWordsAreUsageErrors()
    {
        QCOMPARE(runBench({ "--json" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--prompt-tokens", "0" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--decode-tokens", "1" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--synthetic", "gemma" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--layers", "1" }, counting()).exitCode, 2);
        const CommandOutcome unknown = runBench({ "--synthetic", "70b" }, counting());
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY(unknown.err.find("smollm2, gemma, 8b-q4_k") != std::string::npos);
        QCOMPARE(runBench({ "--model", m_model, "--sequences", "9" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--sequences", "2", "--context", "9" }, counting())
                     .exitCode,
            2);
        QCOMPARE(runBench({ "--probe", "--model", m_model }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--probe", "--operations" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--profile", "" }, counting()).exitCode, 2);
        QCOMPARE(runBench({ "--model", m_model, "--sequences", "2", "--operations" }, counting()).exitCode, 2);
    }

private:
    QTemporaryDir m_folder;
    std::string m_model;
};

QTEST_APPLESS_MAIN(TestBenchCommand)
#include "tst_bench_command.moc"
