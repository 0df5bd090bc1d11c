#include "tests/ui/told_answer.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/timeline_canvas.h"
#include "ui/inspect/timeline_tab.h"
#include "ui/inspect/timeline_words.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QShortcut>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

namespace {
/// The pane, on its timeline, with a run of twelve tokens whose seventh took 400 ms.
struct TimelineFixture {
    tests::ToldAnswer told;
    std::unique_ptr<app::TokenTrack> track;
    ui::InspectorPane pane;
    ui::TimelineTab& tab = pane.timeline();
    ui::TimelineCanvas& canvas = tab.canvas();

    TimelineFixture()
    {
        for (int i = 0; i < 12; ++i) {
            told.decidedMs += i == 6 ? 380 : 0;
            told.token(" day");
        }
        engine::RunEnded end;
        end.runId = told.run;
        end.ledger.reason = engine::StopReason::LengthCap;
        end.ledger.lengthCap = 12;
        end.text = told.answer.draft()->text();
        end.cache.computedTokens = 3;
        end.decodePassCount = 11;
        end.timing = { 12, 12, 110, 120, 120, 745 };
        told.answer.apply(end);
        track = std::make_unique<app::TokenTrack>(told.answer);
        pane.resize(420, 700);
        pane.show();
        QApplication::setActiveWindow(&pane);
        pane.tokens().setAnswer(track.get(), &told.answer);
        tab.setAnswer(track.get(), &told.answer);
        pane.tabs().setCurrentIndex(pane.tabs().indexOf(pane.findChild<QWidget*>("runTimeline")));
        QTest::qWait(20);
    }
    ~TimelineFixture()
    {
        tab.setAnswer(nullptr, nullptr);
        pane.tokens().setAnswer(nullptr, nullptr);
    }
    int first() const { return track->promptCount(); }
    QString words(const char* name) const { return pane.findChild<QLabel*>(name)->text(); }
    int current() { return pane.tokens().strip().current() - first(); }
    int press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&canvas, key, modifiers);
        return current();
    }
};
}

/// A run in words and to scale, under the hands of a person.
class TestTimelineTab : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QAccessible::setActive(true);
    }

    void threeLinesTellTheRun()
    {
        TimelineFixture fixture;
        QCOMPARE(fixture.words("processingWords"),
            QString("Processing: 12 ms in the queue · read 3 prompt tokens in 98 ms · 11 decode "
                    "passes · 17.6 tokens/s · 0 passes discarded"));
        QCOMPARE(fixture.words("deliveryWords"),
            QString("Delivery: first token to first paint not observed · engine to window not "
                    "observed"));
        QVERIFY(fixture.words("resultWords").startsWith("Result: "));
        QVERIFY(fixture.words("resultWords").contains("length cap 12 reached · checks: none"));
        QCOMPARE(fixture.words("timelineSummary"),
            QString("In the queue 12 ms, reading the prompt 98 ms, writing 635 ms, median step "
                    "20 ms, 1 stall; pauses were not kept, so a stall may be one."));
    }

    void whatWasNotObservedIsNeverZero()
    {
        tests::ToldAnswer told;
        engine::TokenRecord bare;
        bare.id = 'x';
        bare.bytes = "x";
        told.token(bare);
        told.token(bare);
        told.end();
        const app::Draft& draft = *told.answer.draft();
        const app::RunTimeline line = app::runTimeline(draft);
        QCOMPARE(ui::processingWords(draft, line),
            QString("Processing: time in the queue not observed · reading the prompt not observed "
                    "· passes not observed"));
        QCOMPARE(ui::stepWords(line, 1),
            QString("Token 2: moment not observed, step not observed, delivery not observed"));
        QCOMPARE(ui::timelineSummary(line), QString("No times were observed."));
    }

    void deliveryIsToldWhereItWasObserved()
    {
        tests::ToldAnswer told;
        told.answer.draft()->noteStarted();
        QTest::qSleep(15);
        told.decidedMs = -15; // decided 5 ms after the start
        told.token("a");
        QVERIFY(ui::deliveryWords(*told.answer.draft(), app::runTimeline(*told.answer.draft()))
                    .startsWith("Delivery: nothing on the screen yet · engine to window: median "));
        told.answer.draft()->notePainted();
        QVERIFY(ui::deliveryWords(*told.answer.draft(), app::runTimeline(*told.answer.draft()))
                    .startsWith("Delivery: first token on the screen "));
    }

    void aClickChoosesTheTokenEverywhere()
    {
        TimelineFixture fixture;
        QSignalSpy chosen(&fixture.tab, &ui::TimelineTab::tokenChosen);
        QTest::mouseClick(&fixture.canvas, Qt::LeftButton, {}, QPoint(fixture.canvas.xOf(3), 40));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), fixture.first() + 3);
        QCOMPARE(fixture.current(), 3);
        QCOMPARE(fixture.canvas.current(), 3);
    }

    void theTimesOfTheHoveredTokenAreWords()
    {
        TimelineFixture fixture;
        QTest::mouseMove(&fixture.canvas, QPoint(fixture.canvas.xOf(6), 40));
        QTRY_COMPARE(fixture.canvas.hovered(), 6);
        QCOMPARE(fixture.words("stepWords"),
            QString("Token 7: decided at 620 ms, 400 ms after the one before, stall, or a pause "
                    "that was not kept, delivery not observed"));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&fixture.canvas, &leave);
        QVERIFY(!fixture.words("stepWords").startsWith("Token 7"));
    }

    void arrowKeysWalkAndNJumpsToStalls()
    {
        TimelineFixture fixture;
        QShortcut taken(QKeySequence(Qt::Key_N), &fixture.pane);
        fixture.canvas.setFocus();
        QCOMPARE(fixture.press(Qt::Key_Home), 0);
        QCOMPARE(fixture.press(Qt::Key_Left), 0); // the prompt has no tick
        QCOMPARE(fixture.press(Qt::Key_Right), 1);
        QCOMPARE(fixture.press(Qt::Key_N), 6);
        QCOMPARE(fixture.press(Qt::Key_N), 6); // there is no other
        QCOMPARE(fixture.press(Qt::Key_End), 11);
        QCOMPARE(fixture.press(Qt::Key_Right), 11);
        QCOMPARE(fixture.press(Qt::Key_N, Qt::ShiftModifier), 6);
    }

    void theTabKeyReachesTheCanvas()
    {
        TimelineFixture fixture;
        fixture.pane.tabs().setFocus();
        for (int i = 0; i < 6 && !fixture.canvas.hasFocus(); ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(fixture.canvas.hasFocus());
    }

    void assistiveSoftwareReadsTheTokenAndTheWhole()
    {
        TimelineFixture fixture;
        auto* spoken = QAccessible::queryAccessibleInterface(&fixture.canvas);
        QCOMPARE(spoken->text(QAccessible::Name), QString("Timeline of the run"));
        fixture.press(Qt::Key_Home);
        QVERIFY(spoken->text(QAccessible::Description).startsWith("Token 1: decided at 120 ms"));
        QVERIFY(spoken->text(QAccessible::Description).contains("reading the prompt 98 ms"));
    }

    void aStallHasAShapeOfItsOwn()
    {
        TimelineFixture fixture;
        QTest::mouseMove(&fixture.pane, QPoint(5, 5));
        fixture.canvas.setFocus();
        fixture.tab.setCurrent(fixture.first() + 2);
        const QImage image = fixture.canvas.grab().toImage();
        const auto widestIn = [&](int x) { // the longest run of ink across a column
            int widest = 0;
            const QRgb page = ui::Theme::of(fixture.canvas.palette()).page.rgb();
            for (int y = ui::gridUnit(&fixture.canvas) * 3 + 2; y < image.height() / 2; ++y) {
                int wide = 0;
                for (int dx = -6; dx <= 6; ++dx)
                    wide += image.rect().contains(x + dx, y) && image.pixel(x + dx, y) != page;
                widest = std::max(widest, wide);
            }
            return widest;
        };
        QVERIFY(widestIn(fixture.canvas.xOf(6)) >= 7);
        QVERIFY(widestIn(fixture.canvas.xOf(4)) <= 4);
    }

    void aContinuedAnswerShowsTheRunOfTheCurrentToken()
    {
        TimelineFixture fixture;
        app::DraftOrigin origin;
        origin.request.runId = 2;
        origin.modelText = fixture.told.engine.modelText();
        fixture.told.answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        fixture.told.run = 2;
        fixture.told.decidedMs = 0;
        for (int i = 0; i < 3; ++i)
            fixture.told.token(" on");
        fixture.pane.tokens().takeTokens(fixture.track->update());
        fixture.pane.tokens().strip().setCurrent(fixture.first() + 13);
        fixture.tab.followAnswer();
        QTRY_COMPARE(fixture.tab.timeline().steps.size(), size_t(3));
        QCOMPARE(fixture.canvas.current(), 1);
        QCOMPARE(fixture.press(Qt::Key_Home), 12);
        fixture.pane.tokens().strip().setCurrent(fixture.first() + 2);
        QCOMPARE(fixture.tab.timeline().steps.size(), size_t(12));
        QCOMPARE(fixture.canvas.current(), 2);
    }

    void itFollowsAGrowingAnswerAndRestsWhileHidden()
    {
        tests::ToldAnswer told;
        told.token("a");
        app::TokenTrack track(told.answer);
        ui::TimelineTab tab;
        tab.setAnswer(&track, &told.answer);
        QVERIFY(tab.timeline().steps.empty()); // nobody looks
        tab.show();
        QCOMPARE(tab.timeline().steps.size(), size_t(1));
        told.token("b");
        track.update();
        tab.followAnswer();
        QTRY_COMPARE(tab.timeline().steps.size(), size_t(2));
        tab.hide();
        told.token("c");
        track.update();
        tab.followAnswer();
        QTest::qWait(150);
        QCOMPARE(tab.timeline().steps.size(), size_t(2));
        tab.setAnswer(nullptr, nullptr);
        tab.show();
        QVERIFY(tab.timeline().steps.empty());
        QTest::keyClick(&tab.canvas(), Qt::Key_Home);
        tab.grab();
        QVERIFY(tab.findChild<QLabel*>("noTimeline")->isVisible());
    }

    void aVeryLongAnswerIsPaintedQuickly()
    {
        tests::ToldAnswer told;
        for (int i = 0; i < 32000; ++i) {
            told.decidedMs += i % 997 == 996 ? 300 : 0;
            told.token("a");
        }
        const app::RunTimeline line = app::runTimeline(*told.answer.draft());
        QCOMPARE(line.stallCount, 32);
        ui::TimelineCanvas canvas;
        canvas.resize(900, 130);
        canvas.setTimeline(&line);
        QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
        canvas.render(&image);
        double bestMs = 1e9;
        for (int i = 0; i < 20; ++i) {
            QElapsedTimer timer;
            timer.start();
            canvas.render(&image);
            bestMs = std::min(bestMs, double(timer.nsecsElapsed()) / 1e6);
        }
        qInfo("a repaint of 32,000 tokens: %.2f ms", bestMs);
        QVERIFY2(bestMs < 5, qPrintable(QString::number(bestMs)));
        const int stall = canvas.tokenAt(canvas.xOf(996));
        QVERIFY(line.steps[size_t(stall)].isStall);
    }
};

QTEST_MAIN(TestTimelineTab)
#include "tst_timeline_tab.moc"
