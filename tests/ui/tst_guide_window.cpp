#include "tests/ui/window_fixture.h"
#include "ui/guide/cache_window.h"
#include "ui/guide/capped_answer_window.h"
#include "ui/guide/guide_actions.h"
#include "ui/guide/guide_window.h"
#include "ui/guide/mask_triangle.h"
#include "ui/guide/pass_table.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTableWidget>

using tests::WindowFixture;

namespace {
/// Everything that assistive software can read in a widget and below it.
void collect(QAccessibleInterface* interface, QStringList& texts, int depth = 0)
{
    if (!interface || depth > 12)
        return;
    for (auto kind : { QAccessible::Name, QAccessible::Description, QAccessible::Value, QAccessible::Help })
        texts.append(interface->text(kind));
    if (auto* text = interface->textInterface())
        texts.append(text->text(0, text->characterCount()));
    for (int i = 0; i < interface->childCount(); ++i)
        collect(interface->child(i), texts, depth + 1);
}

QString everythingIn(QWidget& window)
{
    QStringList texts;
    collect(QAccessible::queryAccessibleInterface(&window), texts);
    for (const QWidget* widget : window.findChildren<QWidget*>())
        texts.append(widget->toolTip() + widget->statusTip() + widget->whatsThis() + widget->windowTitle());
    return texts.join('\n');
}

struct GuideFixture : WindowFixture {
    ui::GuideWindow& guide = *window.guide().showGuide();

    GuideFixture() { QTest::qWait(30); }
    ui::PassTable& passes() { return *guide.findChild<ui::PassTable*>(); }
    QString cell(int row, int column) { return passes().item(row, column)->text(); }
    template <typename Widget> Widget* part(const char* name)
    {
        return guide.findChild<Widget*>(QLatin1String(name));
    }
    QString label(const char* name) { return part<QLabel>(name)->text(); }
    void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    /// Thinks of something, and goes on to the next question until there is none.
    void answerAll()
    {
        while (part<QLineEdit>("yourAnswer")->isVisible()) {
            QTest::keyClicks(part<QLineEdit>("yourAnswer"), "so");
            QTest::keyClick(part<QLineEdit>("yourAnswer"), Qt::Key_Return);
            press("nextQuestion");
        }
    }
};
}

/// The guided trace in its window, by key and mouse.
class TestGuideWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }

    void threePassesAreWalkedWithTheirPositions()
    {
        GuideFixture fixture;
        QCOMPARE(fixture.passes().rowCount(), 0);
        QVERIFY(fixture.part<QPushButton>("step")->isEnabled());
        for (int pass = 0; pass < 3; ++pass) {
            fixture.press("step");
            fixture.answerAll();
        }
        const char* const inputs[] { "The exhibition", "The exhibition opens", "The exhibition opens on" };
        const char* const selected[] { "opens", "on", "Monday" };
        const char* const computed[] { "2", "1", "1" };
        const char* const cache[] { "2", "3", "4" };
        QCOMPARE(fixture.passes().rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(fixture.cell(row, 1), QString(inputs[row]));
            QCOMPARE(fixture.cell(row, 2), QString(computed[row]));
            QCOMPARE(fixture.cell(row, 3), QString(cache[row]));
            QCOMPARE(fixture.cell(row, 4), QString(selected[row]));
        }
        QVERIFY2(fixture.label("count").contains("4 positions with a cache, 9 without"), qPrintable(fixture.label("count")));
        QCOMPARE(fixture.label("delivered"), QString("Delivered: opens on Monday"));
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QVERIFY(fixture.label("state").startsWith("capped"));
        const QString mask = fixture.guide.findChild<ui::MaskTriangle*>()->accessibleName();
        QVERIFY2(mask.contains("4 positions") && mask.contains("come from position 3"), qPrintable(mask));
        QVERIFY(fixture.passes().isColumnHidden(5)); // no times were measured
    }

    void whatIsNotSelectedYetIsNeitherShownNorSpoken()
    {
        GuideFixture fixture;
        const QStringList later { "opens", "Monday" };
        for (int pass = 0; pass < 3; ++pass) {
            const QString all = everythingIn(fixture.guide);
            QVERIFY(all.contains("exhibition"));
            if (pass < 1)
                QVERIFY2(!all.contains("opens"), qPrintable(all));
            QVERIFY2(!all.contains("Monday"), qPrintable(all));
            fixture.press("step");
            fixture.answerAll();
        }
        QVERIFY(everythingIn(fixture.guide).contains("Monday"));
    }

    void aCapOfTwoEndsAfterTwoPasses()
    {
        GuideFixture fixture;
        fixture.part<QSpinBox>("cap")->setValue(2);
        for (int pass = 0; pass < 2; ++pass) {
            fixture.press("step");
            fixture.answerAll();
        }
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QCOMPARE(fixture.label("delivered"), QString("Delivered: opens on"));
        QCOMPARE(fixture.cell(1, 3), QString("3"));
        QVERIFY(!everythingIn(fixture.guide).contains("Monday"));
        fixture.press("again");
        QCOMPARE(fixture.passes().rowCount(), 0);
    }

    void aQuestionWaitsAndShowsItsAnswerAfterwards()
    {
        GuideFixture fixture;
        fixture.press("step");
        QVERIFY(fixture.part<QLabel>("ask")->isVisible());
        QVERIFY(!fixture.part<QPushButton>("step")->isEnabled());
        QVERIFY(!everythingIn(fixture.guide).contains("a pass of its own"));
        fixture.press("give"); // nothing was typed
        QVERIFY(!fixture.part<QLabel>("answer")->isVisible());
        QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "each word needs one");
        QTest::keyClick(fixture.part<QLineEdit>("yourAnswer"), Qt::Key_Return);
        QVERIFY(fixture.label("answer").contains("a pass of its own"));
        QVERIFY(fixture.part<QPushButton>("step")->isEnabled());
    }

    void theRailQuestionsOpenTheirTools()
    {
        GuideFixture fixture;
        for (int pass = 0; pass < 3; ++pass) {
            fixture.press("step");
            if (pass < 2)
                fixture.answerAll();
        }
        int tools = 0;
        while (fixture.part<QLineEdit>("yourAnswer")->isVisible()) {
            QTest::keyClicks(fixture.part<QLineEdit>("yourAnswer"), "no");
            QTest::keyClick(fixture.part<QLineEdit>("yourAnswer"), Qt::Key_Return);
            if (fixture.part<QPushButton>("tool")->isVisible()) {
                fixture.press("tool");
                ++tools;
            }
            fixture.press("nextQuestion");
        }
        QCOMPARE(tools, 2);
        QVERIFY(fixture.window.findChild<ui::CacheWindow*>());
        auto* capped = fixture.window.findChild<ui::CappedAnswerWindow*>();
        QVERIFY(capped);
        QCOMPARE(capped->findChild<QLabel*>("sum")->text(), QString("capped · present so far 3 of 5 · not ready"));
    }

    void theOtherScriptsEndByStopStringAndEndToken()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        QCOMPARE(scripts->count(), 4);
        const char* const states[] { "stopped", "complete" };
        for (int i = 0; i < 2; ++i) {
            scripts->setFocus();
            QTest::keyClick(scripts, Qt::Key_Down);
            QCOMPARE(fixture.passes().rowCount(), 0);
            while (fixture.part<QPushButton>("step")->isEnabled()) {
                fixture.press("step");
                fixture.answerAll();
            }
            QVERIFY2(fixture.label("state").startsWith(states[i]), qPrintable(fixture.label("state")));
        }
    }

    void theSameScreenShowsTheLoadedModel()
    {
        GuideFixture fixture;
        auto* scripts = fixture.part<QComboBox>("script");
        scripts->setFocus();
        QTest::keyClick(scripts, Qt::Key_End);
        QVERIFY(!fixture.part<QPushButton>("run")->isEnabled()); // no model
        fixture.loadModel();
        QVERIFY(fixture.part<QPushButton>("run")->isEnabled());
        fixture.press("run");
        QCOMPARE(fixture.engine.requests.size(), size_t(1));
        QCOMPARE(fixture.engine.requests[0].lengthCap, 64);
        const int promptCount = int(fixture.engine.requests[0].promptIds.size());
        engine::PrefillProgress progress { fixture.engine.requests[0].runId, promptCount, promptCount, 0, {} };
        engine::RunPass pass;
        pass.positionCount = promptCount;
        pass.hostMs = 12.5;
        progress.passes = { pass };
        fixture.engine.push(progress);
        fixture.engine.token("Paris", 'P');
        engine::RunPass decode { .kind = engine::PassKind::Decode };
        decode.firstPosition = promptCount;
        decode.positionCount = 1;
        decode.hostMs = 3;
        fixture.engine.token(".", '.');
        fixture.engine.end(engine::StopReason::EndToken, [&](engine::RunEnded& ended) { ended.passes = { decode }; });
        fixture.settle();
        QCOMPARE(fixture.label("count"), QString("2 new tokens = 1 prefill + 1 decode pass"));
        QCOMPARE(fixture.passes().rowCount(), 2);
        QCOMPARE(fixture.cell(0, 2), QString::number(promptCount));
        QCOMPARE(fixture.cell(1, 3), QString::number(promptCount + 1));
        QCOMPARE(fixture.cell(0, 5), QString("12.5 ms"));
        QCOMPARE(fixture.label("delivered"), QString("Delivered: Paris."));
    }

    void thePassesCopyAsATable()
    {
        GuideFixture fixture;
        fixture.press("step");
        fixture.passes().setFocus();
        QTest::keyClick(&fixture.passes(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
            QString("Pass\tFull input\tPositions computed\tCache holds after\tSelected\n1\tThe exhibition\t2\t2\topens\n"));
    }

    void itOpensOnFirstStartOnly()
    {
        WindowFixture fixture;
        fixture.window.showFirstStart();
        auto* guide = fixture.window.findChild<ui::GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
        guide->close();
        QTest::qWait(10);
        fixture.window.showFirstStart();
        QVERIFY(!fixture.window.findChild<ui::GuideWindow*>());
    }

    void theCacheQuestionNamesTheFirstDifferenceAndIsProved()
    {
        WindowFixture fixture;
        ui::CacheWindow& cache = *fixture.window.guide().showCacheQuestion();
        auto* prove = cache.findChild<QPushButton*>("prove");
        QVERIFY(!prove->isEnabled());
        fixture.loadModel();
        QVERIFY(cache.question());
        const QString sum = cache.findChild<QLabel*>("sum")->text();
        QVERIFY2(sum.startsWith("Not shareable past token 18:"), qPrintable(sum)); // "Find a train from "
        QVERIFY(sum.contains("‘G’ is held and ‘A’ is asked"));
        QVERIFY(sum.contains("That both end in ‘y’ changes nothing."));
        auto* conditions = cache.findChild<QTableWidget*>("conditions");
        QCOMPARE(conditions->rowCount(), 6);
        QVERIFY(conditions->item(0, 1)->text().startsWith("yes, up to token 18"));
        QTest::mouseClick(prove, Qt::LeftButton);
        QCOMPARE(fixture.engine.requests.size(), size_t(3));
        QVERIFY(fixture.engine.requests[1].reusesCache && !fixture.engine.requests[2].reusesCache);
        QCOMPARE(fixture.engine.requests[1].promptIds, fixture.engine.requests[2].promptIds);
        for (int run = 0; run < 3; ++run) {
            engine::RunEnded ended;
            ended.runId = fixture.engine.requests[size_t(run)].runId;
            ended.tokenIds = { 5, 6 };
            ended.text = "at ten";
            ended.cache.reusedTokens = run == 1 ? 18 : 0;
            fixture.engine.push(ended);
        }
        fixture.settle();
        const QString proof = cache.findChild<QLabel*>("proof")->text();
        QVERIFY2(proof.contains("18 tokens reused") && proof.contains("The same tokens"), qPrintable(proof));
        cache.setPrompts("a b", "a b");
        QVERIFY(cache.findChild<QLabel*>("sum")->text().startsWith("The same 3 tokens"));
    }
};

QTEST_MAIN(TestGuideWindow)
#include "tst_guide_window.moc"
