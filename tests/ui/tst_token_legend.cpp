#include "ui/inspect/token_legend.h"

#include <QLocale>
#include <QTest>

using ui::TokenLegend;
using ui::TokenMeasure;
using ui::ValueUnit;

class TestTokenLegend : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void numbersAreInTheChosenUnit();
    void aUnitAMeasureLacksIsItsFirst();
    void theDescriptionSaysItInWords();
    void theScaleIsPaintedFromBlueToYellow();
};

void TestTokenLegend::numbersAreInTheChosenUnit()
{
    TokenLegend legend;
    QCOMPARE(legend.tickWords(), QStringList({ "1.0 %", "25 %", "50 %", "75 %", "100 %" }));
    legend.setUnit(ValueUnit::Bits);
    QCOMPARE(legend.tickWords().mid(2), QStringList({ "1.00 bits", "0.42 bits", "0.00 bits" }));
    legend.setMeasure(TokenMeasure::Surprisal);
    legend.setUnit(ValueUnit::Nats);
    QCOMPARE(legend.tickWords().last(), QString("10.00 nats"));
}

void TestTokenLegend::aUnitAMeasureLacksIsItsFirst()
{
    TokenLegend legend;
    legend.setUnit(ValueUnit::Percent);
    legend.setMeasure(TokenMeasure::Entropy);
    QCOMPARE(legend.unit(), ValueUnit::Nats);
    legend.setMeasure(TokenMeasure::Probability);
    QCOMPARE(legend.unit(), ValueUnit::Percent); // what a person chose comes back
}

void TestTokenLegend::theDescriptionSaysItInWords()
{
    TokenLegend legend;
    QCOMPARE(legend.accessibleName(), QString("Legend: Probability"));
    for (const char* words : { "likely, 100 %", "unlikely, 1.0 %", "dotted underline: not known" })
        QVERIFY2(legend.accessibleDescription().contains(words), words);
    QVERIFY(legend.accessibleDescription().contains("Blue and no underline: unlikely"));
    legend.setMeasure(TokenMeasure::Rank);
    QVERIFY(legend.accessibleDescription().contains("Blue and a thick underline: far down"));
    QVERIFY(legend.accessibleDescription().contains("far down, 1000"));
}

void TestTokenLegend::theScaleIsPaintedFromBlueToYellow()
{
    TokenLegend legend;
    legend.resize(300, legend.sizeHint().height());
    const QImage image = legend.grab().toImage();
    const ui::TokenColours colours(legend.palette());
    QCOMPARE(image.pixelColor(0, 2).name(), colours.colour(0.0).name());
    QCOMPARE(image.pixelColor(299, 2).name(), colours.colour(1.0).name());
}

QTEST_MAIN(TestTokenLegend)
#include "tst_token_legend.moc"
