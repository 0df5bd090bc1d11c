#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-25 Context fills up while answering.
class TestG25ContextFillsUp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g25_contextThatFillsUpEndsTheAnswerByItself();

private:
    QString m_model;
};

void TestG25ContextFillsUp::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG25ContextFillsUp::g25_contextThatFillsUpEndsTheAnswerByItself()
{
    const QStringList arguments { "--model", m_model, "--prompt",
        "Count from 1 to 10, separated by commas.", "--temperature", "0" };
    const tests::GenerationRun run = tests::generate(QStringList { "--context", "64" } + arguments);
    VERIFY_CONTRACT(run);
    QCOMPARE(run.stopReason(), std::string("context_full"));
    QCOMPARE(run.verdict(), std::string("capped"));
    QCOMPARE(run.program.exitCode, 3);
    QCOMPARE(run.promptTokenIds().size(), 43U);
    // The last token needs no place of its own, so one more than the context may come out.
    const std::size_t total = run.promptTokenIds().size() + run.tokens.size();
    QVERIFY2(total == 64 || total == 65, run.summary().c_str());
    const std::string counting = "1, 2, 3, 4, 5, 6, 7, 8";
    QCOMPARE(run.text(), counting.substr(0, run.text().size()));
}

QTEST_GUILESS_MAIN(TestG25ContextFillsUp)
#include "tst_g25_context_fills_up.moc"
