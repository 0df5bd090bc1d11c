#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-10 Stop string across tokens, shown in part.
class TestG10StopString : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g10_stopStringAcrossTokensIsNeverShown_data();
    void g10_stopStringAcrossTokensIsNeverShown();

private:
    QString m_model;
};

void TestG10StopString::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG10StopString::g10_stopStringAcrossTokensIsNeverShown_data()
{
    QTest::addColumn<QString>("stop");
    QTest::addColumn<QString>("text");
    QTest::newRow("5, 6") << "5, 6"
                          << "1, 2, 3, 4, ";
    QTest::newRow(", 7, ") << ", 7, "
                           << "1, 2, 3, 4, 5, 6";
    QTest::newRow("9, 10") << "9, 10" << "1, 2, 3, 4, 5, 6, 7, 8, ";
    QTest::newRow("6") << "6"
                       << "1, 2, 3, 4, 5, ";
    QTest::newRow(" 6") << " 6"
                        << "1, 2, 3, 4, 5,";
}

void TestG10StopString::g10_stopStringAcrossTokensIsNeverShown()
{
    QFETCH(QString, stop);
    QFETCH(QString, text);
    const tests::GenerationRun run
        = tests::greedyRun(m_model, tests::kCountingPrompt, 64, { "--stop", stop });
    // The contract holds only if no delta was ever taken back: joined they are the final text.
    VERIFY_CONTRACT(run);
    COMPARE_RUN(run.text(), text.toStdString(), run);
    COMPARE_RUN(run.stopReason(), "stop_string", run);
    COMPARE_RUN(run.verdict(), "stopped", run);
    QCOMPARE(run.program.exitCode, 0);
}

QTEST_GUILESS_MAIN(TestG10StopString)
#include "tst_g10_stop_string.moc"
