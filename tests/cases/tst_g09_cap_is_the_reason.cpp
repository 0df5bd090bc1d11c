#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-09 Reason says "stop" when the cap was hit.
class TestG09CapIsTheReason : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g09_capIsNamedAsTheReason();
    void g09_reasonIsTheOneThatHeldAtCap64();

private:
    QString m_model;
};

void TestG09CapIsTheReason::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG09CapIsTheReason::g09_capIsNamedAsTheReason()
{
    const tests::GenerationRun run
        = tests::greedyRun(m_model, tests::kCountingPrompt, tests::kDecidedCap);
    VERIFY_CONTRACT(run);
    COMPARE_RUN(run.tokens.size(), std::size_t(tests::kDecidedCap), run);
    COMPARE_RUN(run.text(), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10", run);
    COMPARE_RUN(run.stopReason(), "length_cap", run);
    COMPARE_RUN(run.verdict(), "capped", run);
    QCOMPARE(run.program.exitCode, 3);
}

// One token later the answer may end or go on: two likeliest tokens that are nearly equal. Either
// way the reason is the one that held.
void TestG09CapIsTheReason::g09_reasonIsTheOneThatHeldAtCap64()
{
    const tests::GenerationRun run = tests::greedyRun(m_model, tests::kCountingPrompt, 64);
    VERIFY_CONTRACT(run);
    const bool ended = run.tokenIds().back() == 2;
    COMPARE_RUN(run.stopReason(), ended ? "end_token" : "length_cap", run);
    COMPARE_RUN(run.verdict(), ended ? "complete" : "capped", run);
    QVERIFY2(
        ended ? run.tokens.size() == std::size_t(tests::kDecidedCap) + 1 : run.tokens.size() == 64,
        run.summary().c_str());
    QVERIFY2(run.text().starts_with("1, 2, 3, 4, 5, 6, 7, 8, 9, 10"), run.summary().c_str());
}

QTEST_GUILESS_MAIN(TestG09CapIsTheReason)
#include "tst_g09_cap_is_the_reason.moc"
