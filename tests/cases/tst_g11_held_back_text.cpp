#include "tests/cases/smollm2_run.h"

#include <QTest>

// cases.md G-11 Held-back text lost.
class TestG11HeldBackText : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g11_heldBackTextIsReleasedAtTheEnd_data();
    void g11_heldBackTextIsReleasedAtTheEnd();

private:
    QString m_model;
};

void TestG11HeldBackText::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

void TestG11HeldBackText::g11_heldBackTextIsReleasedAtTheEnd_data()
{
    QTest::addColumn<QString>("stop");
    QTest::addColumn<int>("cap");
    // The answer ends in "1", in ", 10" and in "10" by then: possible beginnings of the stop
    // strings.
    QTest::newRow("1Z at cap 28") << "1Z" << 28;
    QTest::newRow(", 10, at cap 29") << ", 10," << 29;
    QTest::newRow("10, 11 at cap 29") << "10, 11" << 29;
}

void TestG11HeldBackText::g11_heldBackTextIsReleasedAtTheEnd()
{
    QFETCH(QString, stop);
    QFETCH(int, cap);
    const tests::GenerationRun run
        = tests::greedyRun(m_model, tests::kCountingPrompt, cap, { "--stop", stop });
    VERIFY_CONTRACT(run);
    COMPARE_RUN(run.stopReason(), "length_cap", run);
    const tests::GenerationRun without = tests::greedyRun(m_model, tests::kCountingPrompt, cap);
    VERIFY_CONTRACT(without);
    COMPARE_RUN(run.tokenIds(), without.tokenIds(), run);
    COMPARE_RUN(run.text(), without.text(), run);
    // It was held back: the last token alone did not release the end of the text.
    const auto textOfLast = [](const tests::GenerationRun& each) {
        return each.tokens.back()["text"].get<std::string>();
    };
    QVERIFY2(textOfLast(run) != textOfLast(without), run.summary().c_str());
}

QTEST_GUILESS_MAIN(TestG11HeldBackText)
#include "tst_g11_held_back_text.moc"
