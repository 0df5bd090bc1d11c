#include "ui/inspect/timeline_scale.h"

#include <QTest>

/// Where a moment of a run lies on the picture.
class TestTimelineScale : public QObject {
    Q_OBJECT
private slots:
    void allOfTheRunFillsTheColumns()
    {
        ui::TimelineScale scale;
        scale.setRun(0, 1000, 501);
        QCOMPARE(scale.xOf(0), 0);
        QCOMPARE(scale.xOf(500), 250);
        QCOMPARE(scale.xOf(1000), 500);
        QVERIFY(!scale.isZoomed());
    }

    void zoomingKeepsWhatIsUnderTheMouse()
    {
        ui::TimelineScale scale;
        scale.setRun(0, 1000, 501);
        const double before = scale.msAt(125);
        scale.zoom(4, 125);
        QVERIFY(scale.isZoomed());
        QCOMPARE(scale.msAt(125), before);
        QCOMPARE(scale.seenMs(), 250.0);
        QVERIFY(scale.isSeen(before) && !scale.isSeen(999));
        QVERIFY(scale.xOf(999) > 500);
        scale.zoom(0.25, 125);
        QVERIFY(!scale.isZoomed());
        QCOMPARE(scale.leftMs(), 0.0);
    }

    void zoomAndScrollEndWhereTheRunDoes()
    {
        ui::TimelineScale scale;
        scale.setRun(0, 1000, 501);
        for (int i = 0; i < 100; ++i)
            scale.zoom(2, 500);
        QCOMPARE(scale.seenMs(), 1.0);
        QCOMPARE(scale.leftMs(), 999.0);
        scale.scrollTo(-5);
        QCOMPARE(scale.leftMs(), 0.0);
        scale.scrollTo(1e9);
        QCOMPARE(scale.leftMs(), 999.0);
        scale.showAll();
        QCOMPARE(scale.seenMs(), 1000.0);
        scale.setRun(0, 0, 501); // nothing is known
        QCOMPARE(scale.xOf(7), 0);
    }

    void aRunMayBeginBeforeTheEngineGotIt()
    {
        ui::TimelineScale scale;
        scale.setRun(-250, 750, 501);
        QCOMPARE(scale.xOf(-250), 0);
        QCOMPARE(scale.xOf(0), 125);
        QCOMPARE(scale.xOf(750), 500);
        QCOMPARE(scale.seenMs(), 1000.0);
        scale.zoom(4, 0);
        QCOMPARE(scale.leftMs(), -250.0);
        QCOMPARE(scale.xOf(0), 500);
        scale.scrollTo(1e9);
        QCOMPARE(scale.leftMs(), 500.0);
        scale.scrollTo(-1e9);
        QCOMPARE(scale.leftMs(), -250.0);
    }

    void aGrowingRunKeepsWhatIsMagnified()
    {
        ui::TimelineScale scale;
        scale.setRun(0, 1000, 501);
        scale.zoom(2, 0);
        scale.scrollTo(300);
        scale.setRun(0, 2000, 501);
        QCOMPARE(scale.leftMs(), 300.0);
        QCOMPARE(scale.seenMs(), 500.0);
    }
};

QTEST_GUILESS_MAIN(TestTimelineScale)
#include "tst_timeline_scale.moc"
