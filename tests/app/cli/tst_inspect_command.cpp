#include "app/cli/command_table.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QTemporaryDir>
#include <QtTest>

namespace {
tests::ProgramRun inspect(const std::filesystem::path& file, const QStringList& more = {})
{
    return tests::runProgram(
        QStringList { "inspect", QString::fromStdString(file.string()) } + more);
}
}

class TestInspectCommand : public QObject {
    Q_OBJECT
private slots:
    void aModelIsShownWithItsConfigurationAndTensors()
    {
        const auto file = tests::tinyModel("arch-llama");
        if (!file)
            QSKIP(tests::kNoReference);
        const tests::ProgramRun run = inspect(*file, { "--json" });
        QCOMPARE(run.exitCode, int(app::kExitOk));
        const auto answer = nlohmann::json::parse(run.output.toStdString());
        QCOMPARE(answer["bytes"].get<uint64_t>(), std::filesystem::file_size(*file));
        QCOMPARE(answer["stray_bytes"].get<int>(), 0);
        QVERIFY(answer["refusal"].is_null());
        QCOMPARE(answer["config"]["architecture"].get<std::string>(), std::string("llama"));
        QCOMPARE(answer["config"]["layers"].get<int>(), 2);
        QCOMPARE(answer["tensors"].size(), size_t(21));
        QCOMPARE(answer["tensors"][0]["type"].get<std::string>(), std::string("Q8_0"));
        QCOMPARE(answer["metadata"]["llama.block_count"]["type"].get<std::string>(),
            std::string("UINT32"));
        const tests::ProgramRun text = inspect(*file);
        QVERIFY(text.output.contains("runs here: yes"));
        QVERIFY(text.output.contains("token_embd.weight"));
    }
    void aVocabularyOnlyFileOfAnyArchitectureIsShown()
    {
        const auto reference = tests::referenceFolder();
        if (!reference)
            QSKIP(tests::kNoReference);
        for (const auto& entry : std::filesystem::directory_iterator(*reference / "vocab")) {
            if (entry.path().extension() != ".gguf")
                continue;
            const tests::ProgramRun run = inspect(entry.path());
            QCOMPARE(run.exitCode, int(app::kExitOk));
            QVERIFY(run.output.contains("runs here: no"));
            QVERIFY(run.output.contains("tokenizer.ggml.tokens (array of STRING) = ["));
        }
    }
    void aRefusalIsSaidInWords()
    {
        const auto reference = tests::referenceFolder();
        if (!reference)
            QSKIP(tests::kNoReference);
        const tests::ProgramRun run = inspect(*reference / "models" / "arch-mixtral.gguf");
        QCOMPARE(run.exitCode, int(app::kExitOk));
        QVERIFY2(run.output.contains("mixture of experts"), run.output.constData());
    }
    void strayBytesAreReported()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = (folder.path() + "/Модель (1).gguf").toStdString();
        tests::GgufWriter writer;
        writer.string("general.name", "\xFF not UTF-8");
        writer.f32Tensor("t", { 4 });
        tests::writeFile(path, writer.bytes() + std::string(1000, 'x'));
        const tests::ProgramRun run = inspect(path);
        QVERIFY2(run.output.contains("bytes follow the last tensor"), run.output.constData());
        const auto answer = nlohmann::json::parse(inspect(path, { "--json" }).output.toStdString());
        QVERIFY(answer["stray_bytes"].get<int>() > 900);
    }
    void aFileThatIsNoModelFails()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = (folder.path() + "/notes.txt").toStdString();
        tests::writeFile(path, "these are notes, not a model");
        const tests::ProgramRun run = inspect(path);
        QCOMPARE(run.exitCode, int(app::kExitFailed));
        QVERIFY(run.errors.contains("notes.txt") && run.errors.contains("not a GGUF model file"));
        QCOMPARE(tests::runProgram({ "inspect" }).exitCode, int(app::kExitUsage));
    }
};

QTEST_GUILESS_MAIN(TestInspectCommand)
#include "tst_inspect_command.moc"
