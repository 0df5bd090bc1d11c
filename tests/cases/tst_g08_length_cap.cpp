#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-08 Cap one too few or too many: caps 9 and 10 show the same text and differ in what
// may be said of it.
class TestG08LengthCap : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g08_capCountsEveryTokenAndTheEndTokenWins_data();
    void g08_capCountsEveryTokenAndTheEndTokenWins();
    void g08_capOfZeroYieldsNoToken();

private:
    QString m_model;
};

void TestG08LengthCap::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG08LengthCap::g08_capCountsEveryTokenAndTheEndTokenWins_data()
{
    QTest::addColumn<int>("cap");
    QTest::addColumn<int>("tokenCount");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<int>("exitCode");
    const QString whole = "Hello! How can I assist you today?";
    QTest::newRow("1") << 1 << 1 << "Hello"
                       << "length_cap"
                       << "capped" << 3;
    QTest::newRow("8") << 8 << 8 << "Hello! How can I assist you today"
                       << "length_cap"
                       << "capped" << 3;
    QTest::newRow("9") << 9 << 9 << whole << "length_cap"
                       << "capped" << 3;
    QTest::newRow("10") << 10 << 10 << whole << "end_token"
                        << "complete" << 0;
    QTest::newRow("11") << 11 << 10 << whole << "end_token"
                        << "complete" << 0;
}

void TestG08LengthCap::g08_capCountsEveryTokenAndTheEndTokenWins()
{
    QFETCH(int, cap);
    const tests::GenerationRun run = tests::greedyRun(m_model, "Hi", cap);
    VERIFY_CONTRACT(run);
    QTEST(static_cast<int>(run.tokens.size()), "tokenCount");
    QTEST(QString::fromStdString(run.text()), "text");
    QTEST(QString::fromStdString(run.stopReason()), "reason");
    QTEST(QString::fromStdString(run.verdict()), "verdict");
    QTEST(run.program.exitCode, "exitCode");
}

void TestG08LengthCap::g08_capOfZeroYieldsNoToken()
{
    const tests::GenerationRun run = tests::greedyRun(m_model, "Hi", 0);
    QVERIFY2(run.tokens.empty() && run.text().empty(), run.summary().c_str());
    // Either refused as wrong usage, or a run that its cap ended at once.
    if (run.program.exitCode != 2)
        COMPARE_RUN(run.stopReason(), "length_cap", run);
}

QTEST_GUILESS_MAIN(TestG08LengthCap)
#include "tst_g08_length_cap.moc"
