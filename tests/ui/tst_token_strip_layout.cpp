#include "ui/inspect/token_strip_layout.h"

#include <QTest>

using ui::ChipRange;

class TestTokenStripLayout : public QObject {
    Q_OBJECT
private slots:
    void chipsFlowInLinesOfTheWidth();
    void aLineBreakStartsALine();
    void aChipWiderThanTheStripHasALineOfItsOwn();
    void everyPointOfAChipFindsIt();
    void betweenChipsThereIsNone();
    void aBandHoldsTheChipsOfItsLines();
    void appendingEqualsLayingOutAgain();
    void upAndDownGoToTheNearestChip();
    void anEmptyStripAnswersNothing();

private:
    /// Ten wide, two apart, five high, lines one apart: five to a line.
    static ui::TokenStripLayout strip(int count)
    {
        ui::TokenStripLayout layout;
        layout.setMetrics({ .chipHeight = 5, .chipGap = 2, .lineGap = 1, .margin = 3 });
        layout.setWidth(3 + 5 * 12 - 2 + 3);
        for (int i = 0; i < count; ++i)
            layout.append(10);
        return layout;
    }
};

void TestTokenStripLayout::chipsFlowInLinesOfTheWidth()
{
    const ui::TokenStripLayout layout = strip(12);
    QCOMPARE(layout.lineCount(), 3);
    QCOMPARE(layout.chipRect(0), QRect(3, 3, 10, 5));
    QCOMPARE(layout.chipRect(4), QRect(3 + 4 * 12, 3, 10, 5));
    QCOMPARE(layout.chipRect(5), QRect(3, 3 + 6, 10, 5));
    QCOMPARE(layout.height(), 3 + 3 * 6 - 1 + 3);
}

void TestTokenStripLayout::aLineBreakStartsALine()
{
    ui::TokenStripLayout layout = strip(2);
    layout.append(10, true);
    layout.append(10);
    QCOMPARE(layout.lineOf(2), 0);
    QCOMPARE(layout.lineOf(3), 1);
    layout.breakLine();
    layout.append(10);
    QCOMPARE(layout.lineOf(4), 2);
}

void TestTokenStripLayout::aChipWiderThanTheStripHasALineOfItsOwn()
{
    ui::TokenStripLayout layout = strip(1);
    layout.append(500);
    layout.append(10);
    QCOMPARE(layout.chipRect(1), QRect(3, 9, 58, 5));
    QCOMPARE(layout.lineOf(2), 2);
    layout.setWidth(1000);
    QCOMPARE(layout.lineCount(), 1);
    QCOMPARE(layout.chipRect(1).width(), 500);
}

void TestTokenStripLayout::everyPointOfAChipFindsIt()
{
    const ui::TokenStripLayout layout = strip(57);
    for (int chip = 0; chip < layout.count(); ++chip) {
        const QRect rect = layout.chipRect(chip);
        for (const QPoint& point : { rect.topLeft(), rect.center(), rect.bottomRight() })
            QCOMPARE(layout.chipAt(point), chip);
    }
}

void TestTokenStripLayout::betweenChipsThereIsNone()
{
    const ui::TokenStripLayout layout = strip(7);
    QCOMPARE(layout.chipAt({ 13, 4 }), -1); // in the gap
    QCOMPARE(layout.chipAt({ 4, 8 }), -1); // between lines
    QCOMPARE(layout.chipAt({ 4, 2 }), -1); // in the margin
    QCOMPARE(layout.chipAt({ 2, 4 }), -1);
    QCOMPARE(layout.chipAt({ 40, 10 }), -1); // after the last
    QCOMPARE(layout.chipAt({ 4, 100 }), -1);
}

void TestTokenStripLayout::aBandHoldsTheChipsOfItsLines()
{
    const ui::TokenStripLayout layout = strip(17);
    QCOMPARE(layout.chipsIn(0, 1000), (ChipRange { 0, 17 }));
    QCOMPARE(layout.chipsIn(9, 9), (ChipRange { 5, 10 }));
    QCOMPARE(layout.chipsIn(13, 15), (ChipRange { 5, 15 }));
    QCOMPARE(layout.chipsIn(0, 1), (ChipRange {}));
    QCOMPARE(layout.chipsIn(900, 1000), (ChipRange {}));
}

void TestTokenStripLayout::appendingEqualsLayingOutAgain()
{
    ui::TokenStripLayout grown;
    ui::TokenStripLayout again;
    grown.setWidth(333);
    again.setWidth(77);
    for (int i = 0; i < 1000; ++i)
        for (ui::TokenStripLayout* layout : { &grown, &again })
            layout->append(5 + i * 37 % 61, i % 23 == 0);
    again.setWidth(333);
    QCOMPARE(again.lineCount(), grown.lineCount());
    for (int i = 0; i < 1000; ++i)
        QCOMPARE(again.chipRect(i), grown.chipRect(i));
}

void TestTokenStripLayout::upAndDownGoToTheNearestChip()
{
    ui::TokenStripLayout layout = strip(7); // 5 and 2
    QCOMPARE(layout.chipLinesAway(1, 1), 6);
    QCOMPARE(layout.chipLinesAway(4, 1), 6);
    QCOMPARE(layout.chipLinesAway(6, -1), 1);
    QCOMPARE(layout.chipLinesAway(0, -1), 0);
    QCOMPARE(layout.chipLinesAway(5, 1), 5);
}

void TestTokenStripLayout::anEmptyStripAnswersNothing()
{
    const ui::TokenStripLayout layout = strip(0);
    QCOMPARE(layout.height(), 0);
    QCOMPARE(layout.chipAt({ 4, 4 }), -1);
    QCOMPARE(layout.chipsIn(0, 100), (ChipRange {}));
}

QTEST_APPLESS_MAIN(TestTokenStripLayout)
#include "tst_token_strip_layout.moc"
