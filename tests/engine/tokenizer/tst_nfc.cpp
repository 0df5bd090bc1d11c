#include "engine/tokenizer/nfc.h"

#include <QtTest>

using namespace engine;

class TestNfc : public QObject {
    Q_OBJECT
private slots:
    void marksAreComposedInCanonicalOrder_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("ascii") << "plain";
        QTest::newRow("e acute") << "e\u0301";
        QTest::newRow("marks out of order") << "q\u0307\u0327";
        QTest::newRow("dot below and above") << "d\u0307\u0323";
        QTest::newRow("hangul") << "\u1112\u1161\u11ab";
        QTest::newRow("excluded composition") << "\u0958";
        QTest::newRow("ligature stays") << "\ufb01";
        QTest::newRow("ohm sign") << "\u2126";
        QTest::newRow("mark first") << "\u0301e";
        QTest::newRow("past the first plane") << "\U0001D15E\U0001F642";
    }
    void marksAreComposedInCanonicalOrder()
    {
        QFETCH(QString, text);
        const QString composed = text.normalized(QString::NormalizationForm_C);
        QCOMPARE(QString::fromStdString(normalizeNfc(text.toStdString())), composed);
    }
    void textThatIsNoUtf8StaysAsItIs()
    {
        QCOMPARE(normalizeNfc("e\xCC\x81\xFF"), std::string("e\xCC\x81\xFF"));
    }
    void aHeapOfMarksTakesNoQuadraticTime()
    {
        // 200,000 marks in falling class order: a bubble sort would need 10^10 steps, minutes.
        std::string text = "a";
        for (int i = 0; i < 100'000; ++i)
            text += "\u0301\u0323";
        const std::string normalized = normalizeNfc(text);
        const std::string wanted
            = "\u1EA1\u0323\u0323"; // the first dot joins the a, the other dots come next
        QCOMPARE(normalized.substr(0, wanted.size()), wanted);
        QCOMPARE(normalized.substr(normalized.size() - 4), std::string("\u0301\u0301"));
    }
};

QTEST_APPLESS_MAIN(TestNfc)
#include "tst_nfc.moc"
