#include "tests/support/inspected_answer.h"
#include "ui/inspect/curve_canvas.h"
#include "ui/inspect/curve_view.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"

#include <QApplication>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

namespace {
/// The pane with an answer of twelve tokens; the seventh nearly ended it.
struct PaneFixture {
    tests::InspectedAnswer sample { { .temperature = 0 } };
    std::unique_ptr<app::TokenTrack> track;
    ui::InspectorPane pane;

    PaneFixture()
    {
        for (int i = 0; i < 12; ++i)
            sample.say(" day", 4, i == 6 ? 7.0f : -6.0f);
        track = std::make_unique<app::TokenTrack>(sample.answer);
        pane.resize(400, 800);
        pane.show();
        QApplication::setActiveWindow(&pane);
        pane.tokens().setAnswer(track.get(), &sample.answer);
        QTest::qWait(20);
    }
    ~PaneFixture() { pane.tokens().setAnswer(nullptr, nullptr); }
    QString detailsTitle() { return pane.findChild<QLabel*>("tokenTitle")->text(); }
};
}

/// The parts of the inspector show the same token.
class TestInspectorPane : public QObject {
    Q_OBJECT
private slots:
    void aClickOnACurveShowsThatTokenEverywhere()
    {
        PaneFixture fixture;
        ui::CurveCanvas& canvas = fixture.pane.tokens().curves().canvas();
        const int token = fixture.track->promptCount() + 2;
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(canvas.xOf(token), 10));
        QCOMPARE(fixture.pane.tokens().strip().current(), token);
        QCOMPARE(canvas.current(), token);
        QVERIFY(fixture.detailsTitle().startsWith("Token 3 "));
    }

    void theStripMovesTheMarkOnTheCurves()
    {
        PaneFixture fixture;
        ui::TokenStrip& strip = fixture.pane.tokens().strip();
        strip.setFocus();
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(fixture.pane.tokens().curves().canvas().current(), fixture.track->promptCount());
        QVERIFY(fixture.detailsTitle().startsWith("Token 1 "));
    }

    void nOnTheCurvesJumpsTheStrip()
    {
        PaneFixture fixture;
        fixture.pane.tokens().curves().setKind(app::Interest::NearStop);
        fixture.pane.tokens().strip().setCurrent(fixture.track->promptCount());
        QTest::keyClick(&fixture.pane.tokens().curves().canvas(), Qt::Key_N);
        QCOMPARE(fixture.pane.tokens().strip().current(), fixture.track->promptCount() + 6);
    }

    void theSamplerTabShowsTheCurrentToken()
    {
        PaneFixture fixture;
        QTabBar* bar = fixture.pane.tabs().tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
        auto* drawn = fixture.pane.sampler().findChild<QLabel*>("wouldBeDrawn");
        QVERIFY(drawn->isVisible());
        QCOMPARE(drawn->text(), QString("‘ day’ would have been taken, as it was."));
        QCOMPARE(fixture.pane.sampler().settings(), fixture.sample.settings());
        fixture.pane.tokens().setAnswer(nullptr, nullptr);
        QVERIFY(!drawn->isVisible());
    }

    void aGrowingAnswerGrowsTheCurves()
    {
        PaneFixture fixture;
        fixture.sample.say(" day", 4, 12);
        fixture.pane.tokens().takeTokens(fixture.track->update());
        QVERIFY(
            fixture.pane.tokens().curves().summary().contains("at token 13. Highest surprisal"));
    }

    void withoutAnAnswerNothingIsShown()
    {
        PaneFixture fixture;
        fixture.pane.tokens().setAnswer(nullptr, nullptr);
        fixture.track.reset();
        QTest::keyClick(&fixture.pane.tokens().curves().canvas(), Qt::Key_N);
        fixture.pane.grab();
        QCOMPARE(fixture.pane.tokens().strip().current(), -1);
    }
};

QTEST_MAIN(TestInspectorPane)
#include "tst_inspector_pane.moc"
