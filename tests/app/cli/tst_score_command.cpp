#include "app/cli/command_table.h"
#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QtTest>
#include <cmath>

namespace {
tests::ProgramRun score(const std::filesystem::path& file, const nlohmann::json& request)
{
    return tests::runProgram(
        { "score", "--model", QString::fromStdString(file.string()), "--reference" },
        QByteArray::fromStdString(request.dump()));
}
}

class TestScoreCommand : public QObject {
    Q_OBJECT
private slots:
    void scoresAreThoseOfTheReference()
    {
        auto file = tests::tinyModel("arch-qwen3");
        if (!file)
            QSKIP(tests::kNoReference);
        const auto expected
            = tests::readJson(std::filesystem::path(*file).replace_extension(".json"));
        const tests::ProgramRun run = score(*file, { { "token_ids", expected["token_ids"] } });
        QCOMPARE(run.exitCode, int(app::kExitOk));
        const auto answer = nlohmann::json::parse(run.output.toStdString());
        QVERIFY(answer["argmax"] == expected["argmax"]);
        for (const char* field : { "logprob_of_next", "last_logits" }) {
            QCOMPARE(answer[field].size(), expected[field].size());
            for (size_t i = 0; i < answer[field].size(); ++i)
                QVERIFY(std::abs(answer[field][i].get<double>() - expected[field][i].get<double>())
                    < 1e-4);
        }
    }
    void whatCannotBeScoredIsRefused()
    {
        const auto file = tests::tinyModel("arch-llama");
        if (!file)
            QSKIP(tests::kNoReference);
        const nlohmann::json nothing = nlohmann::json::array();
        const std::vector<nlohmann::json> requests { nothing, { { "token_ids", nothing } },
            { { "token_ids", { 320 } } }, { { "token_ids", { -1 } } }, { { "token_ids", { 1.5 } } },
            { { "token_ids", { 1ull << 40 } } }, { { "token_ids", std::vector<int>(513, 1) } } };
        for (const nlohmann::json& request : requests) {
            const tests::ProgramRun run = score(*file, request);
            QCOMPARE(run.exitCode, int(app::kExitFailed));
            QVERIFY(run.output.isEmpty());
            QVERIFY(run.errors.startsWith("tokenglass score: "));
        }
        QCOMPARE(tests::runProgram({ "score" }).exitCode, int(app::kExitUsage));
    }
};

QTEST_GUILESS_MAIN(TestScoreCommand)
#include "tst_score_command.moc"
