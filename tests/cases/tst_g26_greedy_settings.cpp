#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-26 Temperature 0, top-k 0, top-p 1.
class TestG26GreedySettings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g26_temperatureZeroIsGreedyWhateverTheOtherStagesSay_data();
    void g26_temperatureZeroIsGreedyWhateverTheOtherStagesSay();

private:
    QString m_model;
};

void TestG26GreedySettings::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG26GreedySettings::g26_temperatureZeroIsGreedyWhateverTheOtherStagesSay_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("all stages off")
        << QStringList { "--top-k", "0", "--top-p", "1", "--min-p", "0" };
    QTest::newRow("top-k 40") << QStringList { "--top-k", "40" };
    QTest::newRow("top-k 1") << QStringList { "--top-k", "1", "--top-p", "0.01" };
}

void TestG26GreedySettings::g26_temperatureZeroIsGreedyWhateverTheOtherStagesSay()
{
    QFETCH(QStringList, settings);
    const tests::GenerationRun run
        = tests::generate(QStringList { "--model", m_model, "--prompt", "Hi", "--temperature", "0",
                              "--max-tokens", "64" }
            + settings);
    VERIFY_CONTRACT(run);
    QCOMPARE(run.text(), std::string("Hello! How can I assist you today?"));
    QCOMPARE(run.stopReason(), std::string("end_token"));
}

QTEST_GUILESS_MAIN(TestG26GreedySettings)
#include "tst_g26_greedy_settings.moc"
