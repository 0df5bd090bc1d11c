#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-07 Model keeps talking: its end token ends it and is not shown.
class TestG07EndToken : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g07_modelEndsItsTurnWithItsEndToken();

private:
    QString m_model;
};

void TestG07EndToken::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG07EndToken::g07_modelEndsItsTurnWithItsEndToken()
{
    const tests::GenerationRun run = tests::greedyRun(m_model, "Hi", 64);
    VERIFY_CONTRACT(run);
    COMPARE_RUN(run.text(), "Hello! How can I assist you today?", run);
    COMPARE_RUN(run.tokenIds(),
        (std::vector<int> { 19556, 17, 1073, 416, 339, 4237, 346, 1834, 47, 2 }), run);
    COMPARE_RUN(run.stopReason(), "end_token", run);
    COMPARE_RUN(run.verdict(), "complete", run);
    QCOMPARE(run.program.exitCode, 0);
    QCOMPARE(run.tokens.back()["text"].get<std::string>(), std::string());
}

QTEST_GUILESS_MAIN(TestG07EndToken)
#include "tst_g07_end_token.moc"
