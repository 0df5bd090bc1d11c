#include "tests/ui/window_fixture.h"
#include "ui/compare/compare_actions.h"
#include "ui/compare/compare_head.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/variants_dialog.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/notice_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

using engine::StopReason;

namespace {

/// The window with a capped answer and what is compared with it.
struct Fixture : tests::WindowFixture {
    Fixture()
    {
        loadModel();
        send(QStringLiteral("Count"));
        engine.token("1, 2, 3");
        engine.end(StopReason::LengthCap);
        settle();
    }
    ui::ComparePage* page() { return window.compare().page(); }
    void pressInWindow(Qt::Key key) { QTest::keyClick(&window, key, Qt::ControlModifier | Qt::ShiftModifier); settle(); }
    /// Three runs beside the answer, with these caps.
    void compareCaps(const QString& caps = QStringLiteral("8 16 32"))
    {
        auto* dialog = window.compare().askForSettings(chat(), *chat().lastAnswerTurn());
        dialog->setThing(app::VariedThing::LengthCap);
        dialog->setValues(caps);
        dialog->accept();
        settle();
    }
    engine::RunId run(size_t index) { return engine.together.back()[index]; }
    void tell(size_t index, const std::string& text)
    {
        engine.tellOf(run(index));
        engine.token(text);
    }
    void endRun(size_t index, StopReason reason)
    {
        engine.tellOf(run(index));
        engine.end(reason);
    }
    QString label(const char* name)
    {
        return page()->findChild<QLabel*>(QLatin1String(name))->text();
    }
    QString notice()
    {
        QStringList texts;
        for (const QLabel* label : window.findChild<ui::NoticeBar*>()->findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(QLatin1Char(' '));
    }
};

}

class TestComparePage : public QObject {
    Q_OBJECT
private slots:
    void whyHereOpensTheSameRunWithAnotherCapAndSaysWhatIsLeftOut();
    void theButtonUnderAnAnswerAsksToo();
    void anAnswerThatNothingWouldChangeIsShownWithTheReasons();
    void columnsAreLiveAndWhatTheyShareIsPale();
    void theHeaderCountsStopReasonsAndLengths();
    void keysGoFromColumnToColumnAndEnterOpensTheBranch();
    void aClickOnATextChoosesItsColumn();
    void oneRunIsStoppedByKeyAndAllByButton();
    void theTableIsCopiedForASpreadsheet();
    void whileAnAnswerIsWrittenItSaysSo();
    void settingsAreAskedForByKeyAndFaultsAreTold();
    void whatCannotBeginIsAColumnWithTheReason();
    void theRunsComparedAreShownAgain();
    void aRemovedAnswerIsGoneFromItsColumn();
    void eightColumnsAreReachable();
    void everyPartHasAName();
};

void TestComparePage::whyHereOpensTheSameRunWithAnotherCapAndSaysWhatIsLeftOut()
{
    Fixture fixture;
    fixture.pressInWindow(Qt::Key_Y);
    QVERIFY(fixture.page() && fixture.page()->isVisible());
    QCOMPARE(fixture.page()->columnCount(), size_t(2));
    QCOMPARE(fixture.page()->head(0).accessibleName(), QString("Run A  as run"));
    QVERIFY(fixture.page()->head(1).accessibleName().contains("cap doubled to 2,048"));
    QCOMPARE(fixture.engine.requests.back().lengthCap, 2048);
    QCOMPARE(fixture.engine.requests.back().sampling, fixture.engine.requests.front().sampling);
    bool isTold = false;
    for (const QLabel* label : fixture.page()->findChildren<QLabel*>())
        isTold = isTold || label->text().contains("stop strings off: it had none");
    QVERIFY(isTold);
}

void TestComparePage::theButtonUnderAnAnswerAsksToo()
{
    Fixture fixture;
    auto* button = fixture.lastAnswer()->footer().findChild<QToolButton*>("whyHere");
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    fixture.settle();
    QVERIFY(fixture.page());
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
}

void TestComparePage::anAnswerThatNothingWouldChangeIsShownWithTheReasons()
{
    Fixture fixture;
    fixture.send("More");
    fixture.engine.token("4");
    fixture.engine.end(StopReason::ContextFull);
    fixture.settle();
    fixture.pressInWindow(Qt::Key_Y);
    QCOMPARE(fixture.page()->columnCount(), size_t(1));
    QCOMPARE(fixture.engine.requests.size(), size_t(2)); // nothing was run
}

void TestComparePage::columnsAreLiveAndWhatTheyShareIsPale()
{
    Fixture fixture;
    fixture.compareCaps();
    ui::ComparePage& page = *fixture.page();
    QCOMPARE(page.columnCount(), size_t(4));
    QCOMPARE(page.text(0).text(), QString("1, 2, 3"));
    fixture.tell(0, "1, 2");
    fixture.tell(1, "1, two and");
    fixture.settle();
    QCOMPARE(page.text(1).text(), QString("1, 2"));
    QVERIFY(page.head(1).words().state.startsWith("Partial · writing"));
    QCOMPARE(page.text(1).commonLength(), qsizetype(4));
    QVERIFY(!page.text(1).isDifferenceMarked()); // it may go on like the first
    QCOMPARE(page.text(2).commonLength(), qsizetype(3));
    QVERIFY(page.text(2).isDifferenceMarked());

    fixture.tell(0, ", 3, 4");
    fixture.endRun(0, StopReason::EndToken);
    fixture.settle();
    QCOMPARE(page.text(1).text(), QString("1, 2, 3, 4"));
    QVERIFY(page.head(1).words().chip.startsWith("end token"));
    auto* chip = page.head(1).findChild<QLabel*>("stopReason");
    QCOMPARE(chip->text(), page.head(1).words().chip);
    QVERIFY(fixture.chat().turns().size() == 2); // the shown answer is the one asked about
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("1, 2, 3"));
    QVERIFY(page.answers()[1].answer->draft()->firstOutputMs()); // it was painted here
}

void TestComparePage::theHeaderCountsStopReasonsAndLengths()
{
    Fixture fixture;
    fixture.compareCaps();
    QCOMPARE(fixture.label("runCounts"), QString("4 runs · 1 length cap · 3 under way"));
    fixture.tell(0, "1");
    fixture.endRun(0, StopReason::LengthCap);
    for (int i = 0; i < 3; ++i)
        fixture.tell(1, "x");
    fixture.endRun(1, StopReason::EndToken);
    fixture.endRun(2, StopReason::Cancelled);
    fixture.settle();
    const QString counts = fixture.label("runCounts");
    QVERIFY2(counts.startsWith("4 runs · 2 length cap · "), qPrintable(counts));
    QVERIFY2(counts.contains("1 end token"), qPrintable(counts));
    QVERIFY2(!counts.contains("under way"), qPrintable(counts));
    QCOMPARE(fixture.label("runLengths"), QString("0 to 3 tokens"));
}

void TestComparePage::keysGoFromColumnToColumnAndEnterOpensTheBranch()
{
    Fixture fixture;
    fixture.compareCaps();
    fixture.tell(1, "one, two");
    fixture.endRun(1, StopReason::EndToken);
    fixture.settle();
    ui::ComparePage& page = *fixture.page();
    const auto press = [&](Qt::Key key) {
        QTest::keyClick(page.focusWidget(), key);
        fixture.settle();
    };
    QVERIFY(page.focusWidget() == &page.head(0));
    press(Qt::Key_Left); // there is none
    QCOMPARE(page.current(), 0);
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    QCOMPARE(page.current(), 2);
    QVERIFY(page.focusWidget() == &page.head(2));
    press(Qt::Key_Return);
    QCOMPARE(fixture.chat().lastAnswer()->text(), std::string("one, two"));
    QVERIFY(fixture.window.inspectorPane().isVisible());
    page.activateWindow(); // the chat's Escape is another
    QTRY_VERIFY(page.isActiveWindow());
    QTest::keyClick(&page.head(0), Qt::Key_Escape);
    QTRY_VERIFY(!fixture.page());
}

void TestComparePage::aClickOnATextChoosesItsColumn()
{
    Fixture fixture;
    fixture.compareCaps();
    ui::ComparePage& page = *fixture.page();
    QTest::mouseClick(page.text(3).viewport(), Qt::LeftButton);
    QCOMPARE(page.current(), 3);
}

void TestComparePage::oneRunIsStoppedByKeyAndAllByButton()
{
    Fixture fixture;
    fixture.compareCaps();
    ui::ComparePage& page = *fixture.page();
    page.setCurrent(2);
    QTest::keyClick(&page.head(2), Qt::Key_Delete);
    QCOMPARE(fixture.engine.cancelled, std::vector<engine::RunId> { fixture.run(1) });
    fixture.endRun(1, StopReason::Cancelled);
    fixture.settle();
    QTest::keyClick(&page.head(2), Qt::Key_Delete); // it has ended
    QTest::mouseClick(page.findChild<QPushButton*>("stopAllRuns"), Qt::LeftButton);
    const std::vector<engine::RunId> expected { fixture.run(1), fixture.run(0), fixture.run(2) };
    QCOMPARE(fixture.engine.cancelled, expected);
}

void TestComparePage::theTableIsCopiedForASpreadsheet()
{
    Fixture fixture;
    fixture.compareCaps();
    fixture.tell(0, "a\tb\nc");
    fixture.endRun(0, StopReason::EndToken);
    fixture.settle();
    QTest::mouseClick(fixture.page()->findChild<QPushButton*>("copyRunTable"), Qt::LeftButton);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    for (const QString& line : lines)
        QCOMPARE(line.count('\t'), 7);
    QVERIFY(lines[1].startsWith("as run\tCapped\tlength cap"));
    QVERIFY(lines[2].startsWith("cap 8\tComplete response\tend token"));
    QVERIFY(lines[2].endsWith("\ta\\tb\\nc"));
}

void TestComparePage::whileAnAnswerIsWrittenItSaysSo()
{
    Fixture fixture;
    fixture.send("More");
    fixture.pressInWindow(Qt::Key_Y);
    QVERIFY(!fixture.page());
    QVERIFY2(fixture.notice().contains("is being written"), qPrintable(fixture.notice()));
}

void TestComparePage::settingsAreAskedForByKeyAndFaultsAreTold()
{
    Fixture fixture;
    fixture.pressInWindow(Qt::Key_D);
    auto* dialog = fixture.window.findChild<ui::VariantsDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    auto* sum = dialog->findChild<QLabel*>("variantSum");
    QLineEdit* caps = nullptr;
    for (QLineEdit* edit : dialog->findChildren<QLineEdit*>())
        if (edit->isVisible())
            caps = edit;
    QVERIFY(caps);
    caps->selectAll();
    QTest::keyClicks(caps, "4, ten");
    QVERIFY2(sum->text().contains("“ten”"), qPrintable(sum->text()));
    QTest::keyClick(caps, Qt::Key_Return); // cannot be run
    QVERIFY(dialog->isVisible());
    caps->selectAll();
    QTest::keyClicks(caps, "4, 5");
    QCOMPARE(sum->text(), QString("2 runs: cap 4 · cap 5"));
    QTest::keyClick(caps, Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.engine.together.size(), size_t(1));
    // The seed is that of the answer: only the cap differs.
    for (size_t i : { 1, 2 })
        QCOMPARE(fixture.engine.requests[i].sampling.seed, fixture.engine.requests[0].sampling.seed);
    QCOMPARE(fixture.page()->columnCount(), size_t(3));
}

void TestComparePage::whatCannotBeginIsAColumnWithTheReason()
{
    Fixture fixture;
    auto* dialog = fixture.window.compare().askForSettings(fixture.chat(), *fixture.chat().lastAnswerTurn());
    dialog->setThing(app::VariedThing::SystemText);
    dialog->setValues("Be brief.\n---\n" + QString(9000, 'w'));
    dialog->accept();
    fixture.settle();
    ui::ComparePage& page = *fixture.page();
    QCOMPARE(page.columnCount(), size_t(3));
    QCOMPARE(page.head(2).words().state, QString("The context is too small"));
    QVERIFY(page.text(2).text().contains("8,192"));
    QVERIFY(fixture.label("runCounts").contains("1 not begun"));
    page.setCurrent(2);
    QTest::keyClick(&page.head(2), Qt::Key_Return); // there is nothing to open
    QVERIFY(page.isVisible());
}

void TestComparePage::theRunsComparedAreShownAgain()
{
    Fixture fixture;
    fixture.pressInWindow(Qt::Key_G);
    QVERIFY(!fixture.page());
    QVERIFY(fixture.notice().contains("No runs were compared"));
    fixture.compareCaps();
    for (size_t i = 0; i < 3; ++i)
        fixture.endRun(i, StopReason::EndToken);
    fixture.settle();
    fixture.page()->close();
    QTRY_VERIFY(!fixture.page());
    QVERIFY(fixture.window.compare().showGridOf(fixture.chat(), *fixture.chat().lastAnswerTurn()));
    QVERIFY(fixture.page());
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.page()->head(0).accessibleName(), QString("Run A  as run"));
    QCOMPARE(fixture.page()->head(3).accessibleName(), QString("Run D  cap 32"));
}

void TestComparePage::aRemovedAnswerIsGoneFromItsColumn()
{
    Fixture fixture;
    fixture.compareCaps();
    for (size_t i = 0; i < 3; ++i)
        fixture.endRun(i, StopReason::EndToken);
    fixture.settle();
    app::Turn& doomed = *fixture.chat().tree().siblings(*fixture.chat().lastAnswerTurn())[1];
    fixture.workspace.removeTurn(fixture.chat(), doomed);
    fixture.settle();
    QCOMPARE(fixture.page()->head(1).words().state, QString("This answer is gone"));
    fixture.workspace.purgeRemoved();
    fixture.page()->grab(); // nothing of it is looked at
    QVERIFY(!fixture.page()->answers()[1].answer);
}

void TestComparePage::eightColumnsAreReachable()
{
    Fixture fixture;
    fixture.compareCaps("1 2 3 4 5 6 7 8");
    ui::ComparePage& page = *fixture.page();
    QCOMPARE(page.columnCount(), size_t(8)); // without the answer itself
    for (int i = 0; i < 7; ++i)
        QTest::keyClick(&page.head(size_t(i)), Qt::Key_Right);
    fixture.settle();
    QCOMPARE(page.current(), 7);
    const QRect seen = page.rect();
    QVERIFY(seen.contains(page.head(7).mapTo(&page, page.head(7).rect().center())));
}

void TestComparePage::everyPartHasAName()
{
    Fixture fixture;
    fixture.compareCaps();
    for (QWidget* widget : fixture.page()->findChildren<QWidget*>())
        if (widget->focusPolicy() & Qt::TabFocus && widget->isEnabled() && !widget->focusProxy()) {
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                widget->metaObject()->className());
        }
}

QTEST_MAIN(TestComparePage)
#include "tst_compare_page.moc"
