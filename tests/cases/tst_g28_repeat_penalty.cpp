#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-28 Penalties and the cached prompt, here in two cold runs.
class TestG28RepeatPenalty : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g28_repeatPenaltyGivesTheSameTokensEachTime();

private:
    QString m_model;
};

void TestG28RepeatPenalty::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG28RepeatPenalty::g28_repeatPenaltyGivesTheSameTokensEachTime()
{
    const QStringList arguments { "--model", m_model, "--prompt",
        "Repeat exactly: alpha beta gamma delta", "--repeat-penalty", "1.3", "--repeat-window",
        "64", "--temperature", "0", "--max-tokens", "24" };
    const tests::GenerationRun first = tests::generate(arguments);
    const tests::GenerationRun second = tests::generate(arguments);
    VERIFY_CONTRACT(first);
    QCOMPARE(second.tokenIds(), first.tokenIds());
    const tests::GenerationRun without = tests::generate(arguments.mid(0, 4) + arguments.mid(8));
    QVERIFY2(without.tokenIds() != first.tokenIds(), first.summary().c_str());
}

QTEST_GUILESS_MAIN(TestG28RepeatPenalty)
#include "tst_g28_repeat_penalty.moc"
