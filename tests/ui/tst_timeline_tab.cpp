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
#include <QScrollBar>
#include <QShortcut>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QWheelEvent>

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

/// The same with a pass for each token, and one more that was computed in vain.
struct PassFixture {
    tests::ToldAnswer told;
    std::unique_ptr<app::TokenTrack> track;
    ui::InspectorPane pane;
    ui::TimelineTab& tab = pane.timeline();
    ui::TimelineCanvas& canvas = tab.canvas();

    static engine::RunPass pass(engine::PassKind kind, double startMs, int position)
    {
        return { .kind = kind, .startMs = startMs, .hostMs = 18.0, .deviceMs = 17.5,
            .firstPosition = position, .positionCount = 1, .weightBytes = 98'000'000,
            .cacheBytes = 4608 };
    }
    PassFixture()
    {
        engine::RunPass prompt = pass(engine::PassKind::Prefill, 20, 0);
        prompt.positionCount = 3;
        prompt.hostMs = 90;
        told.answer.apply(engine::PrefillProgress { told.run, 3, 3, 0, { prompt } });
        for (int i = 0; i < 6; ++i) {
            engine::TokenDecoded event;
            event.runId = told.run;
            event.text = event.record.bytes = " day";
            event.record.id = 'x';
            event.record.decidedMs = 120 + 20 * i;
            if (i > 0)
                event.passes = { pass(engine::PassKind::Decode, 101.0 + 20 * i, 2 + i) };
            told.answer.apply(event);
        }
        engine::RunEnded end;
        end.runId = told.run;
        end.ledger.reason = engine::StopReason::EndToken;
        end.decodePassCount = 5;
        end.discardedPassCount = 1;
        end.text = told.answer.draft()->text();
        end.timing = { 12, 12, 110, 120, 120, 230 };
        engine::RunPass vain = pass(engine::PassKind::Discarded, 221, 8);
        vain.hostMs.reset();
        vain.deviceMs.reset();
        end.passes = { vain };
        told.answer.apply(end);
        track = std::make_unique<app::TokenTrack>(told.answer);
        pane.resize(420, 800);
        pane.show();
        QApplication::setActiveWindow(&pane);
        pane.tokens().setAnswer(track.get(), &told.answer);
        tab.setAnswer(track.get(), &told.answer);
        pane.tabs().setCurrentIndex(pane.tabs().indexOf(pane.findChild<QWidget*>("runTimeline")));
        QTest::qWait(20);
        canvas.setFocus();
    }
    ~PassFixture()
    {
        tab.setAnswer(nullptr, nullptr);
        pane.tokens().setAnswer(nullptr, nullptr);
    }
    QString words(const char* name) const { return pane.findChild<QLabel*>(name)->text(); }
    int current() { return pane.tokens().strip().current() - track->promptCount(); }
    void wheel(int eighths, Qt::KeyboardModifiers modifiers)
    {
        const QPointF place(canvas.xOf(3), 40);
        QWheelEvent event(place, canvas.mapToGlobal(place), {}, { 0, eighths }, Qt::NoButton,
            modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    }
};

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
            QString("Processing: template not observed · tokenising not observed · 12 ms in the "
                    "queue · read 3 prompt tokens in 98 ms · 11 decode passes · 17.6 tokens/s · 0 "
                    "passes discarded · batch-mates not observed"));
        QCOMPARE(fixture.words("deliveryWords"),
            QString("Delivery: first token to first paint not observed · engine to window not "
                    "observed"));
        QVERIFY(fixture.words("resultWords").startsWith("Result: "));
        QVERIFY(fixture.words("resultWords").contains("length cap 12 reached · checks: none"));
        QCOMPARE(fixture.words("timelineSummary"),
            QString("In the queue 12 ms, reading the prompt 98 ms, writing 635 ms, median step "
                    "20 ms, 1 stall; pauses were not kept, so a stall may be one. First text at 120 ms."));
    }

    void whatWasNotObservedIsNeverZero()
    {
        tests::ToldAnswer told;
        engine::TokenRecord bare;
        bare.id = 'x';
        bare.bytes.push_back('x');
        told.token(bare);
        told.token(bare);
        told.end();
        const app::Draft& draft = *told.answer.draft();
        const app::RunTimeline line = app::runTimeline(draft);
        QCOMPARE(ui::processingWords(draft, line),
            QString("Processing: template not observed · tokenising not observed · time in the "
                    "queue not observed · reading the prompt not observed · passes not observed"));
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
            for (int y = fixture.canvas.passRect().top(); y < image.height() / 2; ++y) {
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

    void whatCouldBeSeenHasMarksOfItsOwnAndWords()
    {
        TimelineFixture fixture;
        const QRect lane = fixture.canvas.momentRect();
        QVERIFY(!lane.isEmpty());
        QVERIFY(!lane.intersects(fixture.canvas.passRect().adjusted(0, 0, 0, 1)));
        const QImage image = fixture.canvas.grab().toImage();
        const QRgb page = ui::Theme::of(fixture.canvas.palette()).page.rgb();
        const int x = fixture.canvas.scale().xOf(120);
        int ink = 0;
        for (int y = lane.top(); y <= lane.bottom(); ++y)
            ink += image.pixel(x, y) != page;
        QVERIFY2(ink >= lane.height() - 2, qPrintable(QString::number(ink)));
        QVERIFY(ui::momentsWords(fixture.tab.timeline()) == "First text at 120 ms.");

        tests::ToldAnswer told;
        told.answer.draft()->noteStarted();
        told.token("a");
        told.answer.draft()->notePainted();
        const QString words = ui::momentsWords(app::runTimeline(*told.answer.draft()));
        QVERIFY2(words.startsWith("First paint at ") && words.contains(", last paint at "), qPrintable(words));
    }

    void upAndDownWalkThePassesAndTheTokensGoWithThem()
    {
        PassFixture fixture;
        QTest::keyClick(&fixture.canvas, Qt::Key_Down);
        QCOMPARE(fixture.current(), 0); // the prompt's pass gave the first token
        QCOMPARE(fixture.words("passWords"),
            QString("Pass 1: part of the prompt, begun at 20 ms, 3 positions from 0, weights read "
                    "93.46 MiB, cache read 4.50 KiB, device 18 ms, host 90 ms, gave token 1, in the "
                    "window at not observed"));
        QTest::keyClick(&fixture.canvas, Qt::Key_Down);
        QCOMPARE(fixture.current(), 1);
        QVERIFY(fixture.words("passWords").startsWith("Pass 2: decode pass, begun at 121 ms, position 3"));
        for (int i = 0; i < 9; ++i)
            QTest::keyClick(&fixture.canvas, Qt::Key_Down);
        QCOMPARE(fixture.current(), 5); // what was discarded gave no token
        QVERIFY(fixture.words("passWords").startsWith("Pass 7: computed ahead and discarded"));
        QVERIFY(fixture.words("passWords").endsWith("device not observed, host not observed"));
        QTest::keyClick(&fixture.canvas, Qt::Key_Up);
        QCOMPARE(fixture.canvas.currentPass(), 5);
        auto* spoken = QAccessible::queryAccessibleInterface(&fixture.canvas);
        QVERIFY(spoken->text(QAccessible::Description).contains("Pass 6: decode pass"));
    }

    void thePassFollowsTheTokenAndAClickChoosesBoth()
    {
        PassFixture fixture;
        fixture.tab.setCurrent(fixture.track->promptCount() + 4);
        QCOMPARE(fixture.canvas.currentPass(), 4);
        QVERIFY(fixture.words("passWords").startsWith("Pass 5"));
        const int x = fixture.canvas.scale().xOf(145);
        QTest::mouseClick(
            &fixture.canvas, Qt::LeftButton, {}, QPoint(x, fixture.canvas.passRect().center().y()));
        QCOMPARE(fixture.canvas.currentPass(), 2);
        QCOMPARE(fixture.current(), 2);
        QVERIFY(fixture.words("processingWords").endsWith("1 pass discarded · no batch-mates"));
    }

    void wheelKeysAndButtonsMagnifyAndTheBarScrolls()
    {
        PassFixture fixture;
        auto* bar = fixture.pane.findChild<QScrollBar*>("timelineScroll");
        QVERIFY(!bar->isVisible());
        const double fixedMs = fixture.canvas.scale().msAt(fixture.canvas.xOf(3));
        fixture.wheel(360, Qt::ControlModifier);
        QVERIFY(fixture.canvas.scale().isZoomed() && bar->isVisible());
        QVERIFY(std::abs(fixture.canvas.scale().msAt(fixture.canvas.xOf(3)) - fixedMs) < 2);
        bar->setValue(0);
        QCOMPARE(fixture.canvas.scale().leftMs(), 0.0);
        QCOMPARE(fixture.canvas.xOf(5), -1); // not in sight
        QTest::keyClick(&fixture.canvas, Qt::Key_End);
        QVERIFY(fixture.canvas.xOf(5) >= 0); // what was chosen comes into sight
        fixture.wheel(120, Qt::ShiftModifier);
        QVERIFY(fixture.canvas.scale().leftMs() > 0);
        QTest::keyClick(&fixture.canvas, Qt::Key_0);
        QVERIFY(!fixture.canvas.scale().isZoomed() && !bar->isVisible());
        QTest::keyClick(&fixture.canvas, Qt::Key_Plus);
        const double seenMs = fixture.canvas.scale().seenMs();
        QVERIFY(seenMs < 230);
        QTest::mouseClick(fixture.pane.findChild<QWidget*>("zoomIn"), Qt::LeftButton);
        QVERIFY(fixture.canvas.scale().seenMs() < seenMs);
        QTest::keyClick(&fixture.canvas, Qt::Key_Minus);
        QTest::mouseClick(fixture.pane.findChild<QWidget*>("showAll"), Qt::LeftButton);
        QVERIFY(!fixture.canvas.scale().isZoomed());
    }

    void checksAreToldWhereThereAreSome()
    {
        PassFixture fixture;
        const app::Draft& draft = *fixture.told.answer.draft();
        QVERIFY(ui::resultWords(draft).endsWith("checks: none"));
        QVERIFY(ui::resultWords(draft, QString("2 of 3")).endsWith("checks: 2 of 3"));
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
        std::vector<engine::RunPass> passes;
        for (int i = 0; i < 32000; ++i)
            passes.push_back(PassFixture::pass(engine::PassKind::Decode, 100 + 20.5 * i, i));
        told.answer.apply(engine::PrefillProgress { told.run, 3, 3, 0, std::move(passes) });
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
