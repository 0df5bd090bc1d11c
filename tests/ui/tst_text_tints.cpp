#include "ui/chat/text_tints.h"

#include <QTest>

using ui::TextPlace;
using ui::TintRange;

class TestTextTints : public QObject {
    Q_OBJECT
private slots:
    void thoseThatReachIntoAStretchAreFound();
    void aPlaceHasTheTintOfItsCharacter();
    void laterTintsAreReplaced();

private:
    static ui::TextTint tint(size_t block, int start, int end)
    {
        return { { block, start }, { block, end }, Qt::yellow, 1 };
    }
    static ui::TextTints three()
    {
        ui::TextTints tints;
        tints.replaceFrom(0,
            { tint(0, 0, 3), tint(0, 3, 3), tint(0, 3, 8), { { 0, 8 }, { 1, 2 }, Qt::blue, 1 },
                tint(1, 2, 5) });
        return tints;
    }
};

void TestTextTints::thoseThatReachIntoAStretchAreFound()
{
    const ui::TextTints tints = three();
    QCOMPARE(tints.touching({ 0, 0 }, { 1, 9 }), (TintRange { 0, 5 }));
    QCOMPARE(tints.touching({ 0, 4 }, { 0, 5 }), (TintRange { 2, 3 }));
    QCOMPARE(tints.touching({ 1, 0 }, { 1, 1 }), (TintRange { 3, 4 }));
    QCOMPARE(tints.touching({ 2, 0 }, { 2, 9 }), (TintRange { 5, 5 }));
}

void TestTextTints::aPlaceHasTheTintOfItsCharacter()
{
    const ui::TextTints tints = three();
    QCOMPARE(tints.at({ 0, 0 }), 0);
    QCOMPARE(tints.at({ 0, 3 }), 2); // the second shows nothing
    QCOMPARE(tints.at({ 1, 1 }), 3);
    QCOMPARE(tints.at({ 1, 5 }), -1);
    QCOMPARE(ui::TextTints().at({ 0, 0 }), -1);
}

void TestTextTints::laterTintsAreReplaced()
{
    ui::TextTints tints = three();
    tints.replaceFrom(2, { tint(0, 3, 4) });
    QCOMPARE(tints.count(), size_t(3));
    QCOMPARE(tints[2].end.position, 4);
    tints.replaceFrom(0, {});
    QCOMPARE(tints.count(), size_t(0));
}

QTEST_APPLESS_MAIN(TestTextTints)
#include "tst_text_tints.moc"
