#include "app/cli/command_table.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/run_program.h"
#include "tests/support/token_cases.h"

#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {
    QString pathOf(const char* vocabulary)
    {
        return QString::fromStdString(tests::vocabularyFile(vocabulary)->string());
    }
}

class TestTokenizeCommand : public QObject {
    Q_OBJECT
private slots:
    void textsBecomeIdListsWithoutBos()
    {
        if (const char* reason = tests::missingTokenData())
            QSKIP(reason);
        const auto run = tests::runProgram(
            { "tokenize", "--model", pathOf("gemma3") }, R"(["Hello", "", "<end_of_turn>"])");
        QCOMPARE(run.exitCode, int(app::kExitOk));
        QCOMPARE(json::parse(run.output.toStdString()),
            json::parse("[[9259],[],[236820,643,236779,1340,236779,887,236813]]"));
    }
    void specialHasControlTokensRecognised()
    {
        if (const char* reason = tests::missingTokenData())
            QSKIP(reason);
        const auto run = tests::runProgram(
            { "tokenize", "--special", "--model", pathOf("smollm2") }, R"(["Hello<|im_end|>"])");
        QCOMPARE(run.exitCode, int(app::kExitOk));
        QCOMPARE(json::parse(run.output.toStdString()), json::parse("[[19556,2]]"));
    }
    void vocabularyOnlyFilesOfAnyArchitectureWork()
    {
        if (const char* reason = tests::missingTokenData())
            QSKIP(reason);
        const auto run = tests::runProgram(
            { "tokenize", "--model", pathOf("refact") }, R"(["The exhibition opens on Monday."])");
        QCOMPARE(run.exitCode, int(app::kExitOk));
        const auto vectors = tests::readJson(*tests::referenceFolder() / "tokenizer/vectors.json");
        QCOMPARE(json::parse(run.output.toStdString())[0], vectors["ids"]["refact.gguf"][17]);
    }
    void aModelThatCannotBeTokenizedForIsNamedWithTheReason()
    {
        if (const char* reason = tests::missingTokenData())
            QSKIP(reason);
        const auto run = tests::runProgram({ "tokenize", "--model", pathOf("falcon") }, "[]");
        QCOMPARE(run.exitCode, int(app::kExitFailed));
        QVERIFY(run.output.isEmpty());
        QVERIFY(run.errors.contains("falcon.gguf") && run.errors.contains("pre-tokenizer"));
    }
    void inputThatIsNoArrayOfTextsIsRefused()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("tiny.gguf");
        tests::GgufWriter writer;
        writer.string("tokenizer.ggml.model", "gpt2");
        writer.string("tokenizer.ggml.pre", "gpt-2");
        writer.strings("tokenizer.ggml.tokens", { "a" });
        writer.strings("tokenizer.ggml.merges", {});
        writer.save(path.toStdString());
        QCOMPARE(tests::runProgram({ "tokenize", "--model", path }, R"(["aa"])").output,
            QByteArray("[[0,0]]\n"));
        for (const char* input : { "", "{}", "[1]", "[\"a\", null]", "[\"a\"", "\"a\"" }) {
            const auto run = tests::runProgram({ "tokenize", "--model", path }, input);
            QCOMPARE(run.exitCode, int(app::kExitFailed));
            QVERIFY(run.output.isEmpty());
            QVERIFY(!run.errors.isEmpty());
        }
    }
    void wrongArgumentsAreUsageErrors()
    {
        for (const QStringList& arguments :
            { QStringList { "tokenize" }, { "tokenize", "--model" }, { "tokenize", "--what" } })
            QCOMPARE(tests::runProgram(arguments).exitCode, int(app::kExitUsage));
        QCOMPARE(tests::runProgram({ "tokenize", "--model", "/no/such/file" }, "[]").exitCode,
            int(app::kExitFailed));
    }
};

QTEST_GUILESS_MAIN(TestTokenizeCommand)
#include "tst_tokenize_command.moc"
