#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-24 Prompt longer than the context: refused before any computing, nothing cut off.
class TestG24PromptTooLong : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g24_promptLongerThanTheContextIsRefusedWithBothNumbers();

private:
    QString m_model;
};

void TestG24PromptTooLong::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG24PromptTooLong::g24_promptLongerThanTheContextIsRefusedWithBothNumbers()
{
    QString words;
    for (int i = 0; i < 500; ++i)
        words += "sea ";
    const tests::GenerationRun run
        = tests::generate({ "--model", m_model, "--context", "128", "--prompt", words });
    VERIFY_CONTRACT(run);
    QCOMPARE(run.program.exitCode, 1);
    QVERIFY(run.tokens.empty());
    QCOMPARE(run.stopReason(), std::string("failed"));
    QCOMPARE(run.verdict(), std::string("partial"));
    const std::string needed = std::to_string(run.promptTokenIds().size());
    const std::string said = run.ended.dump() + run.program.errors.toStdString();
    QVERIFY2(run.promptTokenIds().size() > 500, run.summary().c_str());
    QVERIFY2(said.find(needed) != std::string::npos && said.find("128") != std::string::npos,
        said.c_str());
}

QTEST_GUILESS_MAIN(TestG24PromptTooLong)
#include "tst_g24_prompt_too_long.moc"
