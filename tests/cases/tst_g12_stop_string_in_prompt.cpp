#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-12 Stop string that already stands in the prompt.
class TestG12StopStringInPrompt : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g12_stopStringInThePromptHasNoEffect();

private:
    QString m_model;
};

void TestG12StopStringInPrompt::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG12StopStringInPrompt::g12_stopStringInThePromptHasNoEffect()
{
    const int cap = tests::kDecidedCap;
    const tests::GenerationRun without = tests::greedyRun(m_model, tests::kCountingPrompt, cap);
    const tests::GenerationRun run
        = tests::greedyRun(m_model, tests::kCountingPrompt, cap, { "--stop", "separated" });
    VERIFY_CONTRACT(run);
    COMPARE_RUN(run.stopReason(), "length_cap", run);
    COMPARE_RUN(run.tokenIds(), without.tokenIds(), run);
    COMPARE_RUN(run.text(), without.text(), run);
}

QTEST_GUILESS_MAIN(TestG12StopStringInPrompt)
#include "tst_g12_stop_string_in_prompt.moc"
