#include "tests/app/cli/command_run.h"

#include <QTemporaryDir>
#include <QtTest>

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
    }

private:
    QTemporaryDir m_folder;
    std::string m_model;
};

QTEST_APPLESS_MAIN(TestBenchCommand)
#include "tst_bench_command.moc"
