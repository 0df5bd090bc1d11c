#include "tests/support/inspected_answer.h"
#include "ui/inspect/curve_canvas.h"
#include "ui/inspect/curve_view.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using tests::InspectedAnswer;
using ui::CurveColumn;
using ui::CurveLayout;

namespace {
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Curves of twelve tokens; the seventh nearly ended the answer.
struct CurveFixture {
    InspectedAnswer sample { { .temperature = 0 } }; // it does not take the end token by chance
    std::unique_ptr<app::TokenTrack> track;
    QWidget window;
    ui::CurveView view { &window };

    CurveFixture()
    {
        for (int i = 0; i < 12; ++i)
            sample.say(" day", 4, i == 6 ? 7.0f : -6.0f);
        track = std::make_unique<app::TokenTrack>(sample.answer);
        window.resize(400, 300);
        view.setGeometry(0, 0, 400, 220);
        window.show();
        QApplication::setActiveWindow(&window);
        view.setTrack(track.get());
        // The strip around it does this.
        QObject::connect(&view, &ui::CurveView::tokenChosen, &view, &ui::CurveView::setCurrent);
        QTest::qWait(10);
    }
    int first() { return track->promptCount(); }
    QString words() { return view.findChild<QLabel*>("curveWords")->text(); }
    ui::CurveCanvas& canvas() { return view.canvas(); }
    QString number(int token, app::TokenNumber number)
    {
        return QString::number(*app::tokenNumber(track->record(token), number), 'f', 2);
    }
};
}

/// The curves, as numbers, as pixels and under the hands of a person.
class TestCurveView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void columnsHoldTheLeastAndGreatestOfTheirTokens()
    {
        std::mt19937 generator(3);
        for (const int count : { 1, 2, 7, 100, 101, 399, 400, 401, 5000, 32000 }) {
            std::vector<float> values;
            for (int i = 0; i < count; ++i)
                values.push_back(generator() % 7 == 0 ? kNaN : float(generator() % 1000));
            const CurveLayout layout(count, 400);
            const std::vector<CurveColumn> columns = layout.columnsOf(values);
            QCOMPARE(columns.size(), size_t(400));
            // The slow way: every token, one after the other, in the column it is in.
            std::vector<CurveColumn> right(400);
            const auto put = [](CurveColumn& column, float value) {
                column.low = column.isEmpty ? value : std::min(column.low, value);
                column.high = column.isEmpty ? value : std::max(column.high, value);
                column.isEmpty = false;
            };
            if (count >= 400)
                for (int token = 0; token < count; ++token) {
                    if (!std::isnan(values[size_t(token)]))
                        put(right[size_t(layout.columnOf(token))], values[size_t(token)]);
                }
            else
                for (int column = 0; column < 400; ++column)
                    if (!std::isnan(values[size_t(layout.tokenAt(column))]))
                        put(right[size_t(column)], values[size_t(layout.tokenAt(column))]);
            QVERIFY(columns == right);
        }
    }

    void everyTokenIsFoundUnderItsOwnColumn()
    {
        for (const int count : { 1, 3, 50, 399, 400 }) {
            const CurveLayout layout(count, 400);
            for (int token = 0; token < count; ++token)
                QCOMPARE(layout.tokenAt(layout.columnOf(token)), token);
        }
        const CurveLayout many(32000, 400);
        for (int token = 0; token < 32000; token += 37)
            QVERIFY(std::abs(many.tokenAt(many.columnOf(token)) - token) <= 80);
        QCOMPARE(CurveLayout(0, 400).tokenAt(5), -1);
        QCOMPARE(CurveLayout(10, 400).tokenAt(-4), 0);
        QCOMPARE(CurveLayout(10, 400).tokenAt(4000), 9);
    }

    void aClickChoosesTheTokenUnderIt()
    {
        CurveFixture fixture;
        QSignalSpy chosen(&fixture.view, &ui::CurveView::tokenChosen);
        const int wanted = fixture.first() + 6;
        const QPoint point(fixture.canvas().xOf(wanted), fixture.canvas().height() / 2);
        QTest::mouseClick(&fixture.canvas(), Qt::LeftButton, {}, point);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), wanted);
        QCOMPARE(fixture.canvas().current(), wanted);
    }

    void theNumbersOfTheHoveredPlaceAreWords()
    {
        CurveFixture fixture;
        const int hovered = fixture.first() + 3;
        QTest::mouseMove(&fixture.canvas(), QPoint(fixture.canvas().xOf(hovered), 20));
        QTRY_COMPARE(fixture.canvas().hovered(), hovered);
        QVERIFY(fixture.words().startsWith("Token 4: surprisal "
            + fixture.number(hovered, app::TokenNumber::Surprisal) + " nats, entropy "
            + fixture.number(hovered, app::TokenNumber::Entropy) + " nats, ending here "));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&fixture.canvas(), &leave);
        QVERIFY(fixture.words().startsWith("Highest chance of ending: "));
        fixture.view.setCurrent(fixture.first());
        QVERIFY(fixture.words().startsWith("Token 1: "));
    }

    void arrowKeysWalkAndNJumps()
    {
        CurveFixture fixture;
        fixture.canvas().setFocus();
        const int first = fixture.first();
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(&fixture.canvas(), key, modifiers);
            return fixture.canvas().current() - first;
        };
        QCOMPARE(press(Qt::Key_Home), 0);
        QCOMPARE(press(Qt::Key_Left), 0); // the prompt has no curve
        QCOMPARE(press(Qt::Key_Right), 1);
        QCOMPARE(press(Qt::Key_End), 11);
        QCOMPARE(press(Qt::Key_Right), 11);
        fixture.view.setKind(app::Interest::NearStop);
        QCOMPARE(press(Qt::Key_N, Qt::ShiftModifier), 6);
        QCOMPARE(press(Qt::Key_N, Qt::ShiftModifier), 6); // there is no other
        press(Qt::Key_Home);
        QCOMPARE(press(Qt::Key_N), 6);
    }

    void aShortcutOfTheWindowDoesNotTakeItsKeys()
    {
        CurveFixture fixture;
        QShortcut next(QKeySequence(Qt::Key_N), &fixture.window);
        QShortcut previous(QKeySequence(Qt::SHIFT | Qt::Key_N), &fixture.window);
        QSignalSpy taken(&next, &QShortcut::activated);
        QSignalSpy takenBack(&previous, &QShortcut::activated);
        fixture.view.setKind(app::Interest::NearStop);
        fixture.canvas().setFocus();
        QTest::keyClick(&fixture.canvas(), Qt::Key_N);
        QCOMPARE(fixture.canvas().current(), fixture.first() + 6);
        QTest::keyClick(&fixture.canvas(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(taken.size() + takenBack.size(), 0);
    }

    void theKindIsChosenByKey()
    {
        CurveFixture fixture;
        auto* kind = fixture.view.findChild<QComboBox*>("jumpKind");
        QCOMPARE(fixture.view.kind(), app::Interest::Any);
        kind->setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(kind, Qt::Key_Down);
        QCOMPARE(fixture.view.kind(), app::Interest::NearStop);
        QVERIFY(!kind->accessibleName().isEmpty());
        QCOMPARE(kind->count(), 6);
    }

    void assistiveSoftwareReadsTheHighestPlaces()
    {
        CurveFixture fixture;
        const QString text = QAccessible::queryAccessibleInterface(&fixture.canvas())
                                 ->text(QAccessible::Description);
        const double end = *app::tokenNumber(
            fixture.track->record(fixture.first() + 6), app::TokenNumber::EndProbability);
        QVERIFY2(
            text.startsWith(
                QString("Highest chance of ending: %1 % at token 7.").arg(end * 100, 0, 'f', 1)),
            qPrintable(text));
    }

    void itFollowsAGrowingAnswer()
    {
        CurveFixture fixture;
        fixture.sample.say(" day", 4, 12);
        fixture.view.followTrack(fixture.track->update());
        QVERIFY(fixture.view.summary().contains("at token 13. Highest surprisal"));
        QTest::keyClick(&fixture.canvas(), Qt::Key_End);
        QCOMPARE(fixture.canvas().current(), fixture.first() + 12);
    }

    void withoutATrackThereIsNothingToChoose()
    {
        CurveFixture fixture;
        QSignalSpy chosen(&fixture.view, &ui::CurveView::tokenChosen);
        fixture.view.setTrack(nullptr);
        fixture.track.reset();
        QTest::mouseClick(&fixture.canvas(), Qt::LeftButton, {}, QPoint(50, 20));
        for (const Qt::Key key : { Qt::Key_N, Qt::Key_Left, Qt::Key_Home, Qt::Key_End })
            QTest::keyClick(&fixture.canvas(), key);
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(fixture.words(), QString("No tokens yet."));
        fixture.canvas().grab();
    }

    void theCurrentTokenIsMarkedAndACurveIsSeen()
    {
        CurveFixture fixture;
        const QImage plain = fixture.canvas().grab().toImage();
        fixture.view.setCurrent(fixture.first() + 6);
        const QImage marked = fixture.canvas().grab().toImage();
        const int x = fixture.canvas().xOf(fixture.first() + 6);
        int changed = 0;
        for (int y = 0; y < plain.height(); ++y)
            changed += plain.pixel(x, y) != marked.pixel(x, y);
        QVERIFY(changed > plain.height() / 2);
        // The lowest lane: the column of the seventh token reaches higher than that of the first.
        const auto inkIn = [&](int column) {
            int ink = 0;
            for (int y = plain.height() * 2 / 3; y < plain.height(); ++y)
                ink += plain.pixel(column, y) != plain.pixel(column, plain.height() * 2 / 3 + 3);
            return ink;
        };
        QVERIFY(inkIn(x) > inkIn(fixture.canvas().xOf(fixture.first() + 9)) + 3);
    }
};

QTEST_MAIN(TestCurveView)
#include "tst_curve_view.moc"
