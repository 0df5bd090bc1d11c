#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <cmath>

// Both real models against an independent implementation: greedy.json holds, for each prompt, every
// greedy step with the five likeliest tokens. Steps whose two best are nearer than kDecidedGap
// prove nothing of the choice: the next step follows the reference's token there.
class TestGreedyReference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyStepAgreesWithTheReference_data();
    void everyStepAgreesWithTheReference();
    void writtenAnswerAgreesUpToTheFirstUndecidedStep_data();
    void writtenAnswerAgreesUpToTheFirstUndecidedStep();

private:
    nlohmann::json m_runs;
};

namespace {
constexpr double kDecidedGap = 0.05;
constexpr double kLogprobTolerance = 0.02; // half-precision activations against float32 throughout

double gapOf(const nlohmann::json& step)
{
    return step["top"][0][1].get<double>() - step["top"][1][1].get<double>();
}

QString modelPath(const nlohmann::json& run)
{
    const auto model = tests::realModel(run["model"].get<std::string>());
    return model ? QString::fromStdString(model->string()) : QString();
}
}

void TestGreedyReference::initTestCase()
{
    const auto folder = tests::referenceFolder();
    if (!folder)
        QSKIP(tests::kNoReference);
    m_runs = tests::readJson(*folder / "greedy.json");
    for (const nlohmann::json& run : m_runs)
        if (modelPath(run).isEmpty())
            QSKIP(tests::kNoModel);
}

void TestGreedyReference::everyStepAgreesWithTheReference_data()
{
    QTest::addColumn<int>("runIndex");
    for (int i = 0; i < static_cast<int>(m_runs.size()); ++i)
        QTest::addRow("%s %d", m_runs[i]["model"].get<std::string>().substr(0, 7).c_str(), i) << i;
}

// One pass over the prompt and the reference's own tokens: each position scores the next one.
void TestGreedyReference::everyStepAgreesWithTheReference()
{
    QFETCH(int, runIndex);
    const nlohmann::json& run = m_runs[runIndex];
    std::vector<int> ids = run["prompt_ids"].get<std::vector<int>>();
    const std::size_t promptCount = ids.size();
    for (const nlohmann::json& step : run["steps"])
        ids.push_back(step["id"].get<int>());
    const tests::ProgramRun scored = tests::runProgram({ "score", "--model", modelPath(run) },
        QByteArray::fromStdString(nlohmann::json { { "token_ids", ids } }.dump()));
    const nlohmann::json scores
        = nlohmann::json::parse(scored.output.toStdString(), nullptr, false);
    QVERIFY2(scored.exitCode == 0 && scores.is_object(), scored.errors);
    for (std::size_t i = 0; i < run["steps"].size(); ++i) {
        const nlohmann::json& step = run["steps"][i];
        const std::size_t position = promptCount + i - 1;
        const std::string place = "step " + std::to_string(i) + ": reference " + step["top"].dump()
            + ", here argmax " + scores["argmax"][position].dump() + ", logprob "
            + scores["logprob_of_next"][position].dump();
        if (gapOf(step) > kDecidedGap)
            QVERIFY2(scores["argmax"][position] == step["id"], place.c_str());
        const double logprob = scores["logprob_of_next"][position].get<double>();
        const double expected = step["top"][0][1].get<double>();
        QVERIFY2(std::abs(logprob - expected) <= kLogprobTolerance, place.c_str());
    }
}

void TestGreedyReference::writtenAnswerAgreesUpToTheFirstUndecidedStep_data()
{
    everyStepAgreesWithTheReference_data();
}

// The same through prefill, decode and sampling, as a person gets it.
void TestGreedyReference::writtenAnswerAgreesUpToTheFirstUndecidedStep()
{
    QFETCH(int, runIndex);
    const nlohmann::json& run = m_runs[runIndex];
    QTemporaryFile messages;
    QVERIFY(messages.open());
    QStringList prompt { "--raw", QString::fromStdString(run.value("prompt", "")) };
    if (run.contains("messages")) {
        messages.write(QByteArray::fromStdString(run["messages"].dump()));
        messages.close();
        prompt = QStringList { "--messages", messages.fileName() };
    }
    const tests::GenerationRun written
        = tests::generate(QStringList { "--model", modelPath(run), "--temperature", "0",
                              "--max-tokens", QString::number(run["steps"].size()) }
            + prompt);
    QVERIFY2(written.contractFaults().empty(), written.contractFaults().c_str());
    QCOMPARE(written.promptTokenIds(), run["prompt_ids"].get<std::vector<int>>());
    for (std::size_t i = 0; i < run["steps"].size(); ++i) {
        const nlohmann::json& step = run["steps"][i];
        if (gapOf(step) <= kDecidedGap)
            break;
        QVERIFY2(i < written.tokens.size(), written.summary().c_str());
        const std::string place = "step " + std::to_string(i) + ": " + written.tokens[i].dump();
        QVERIFY2(written.tokens[i]["id"] == step["id"], place.c_str());
        const double logprob = written.tokens[i]["logprob"].get<double>();
        QVERIFY2(std::abs(logprob - step["top"][0][1].get<double>()) <= kLogprobTolerance,
            place.c_str());
    }
}

QTEST_GUILESS_MAIN(TestGreedyReference)
#include "tst_greedy_reference.moc"
