#include "tests/ui/compare_fixture.h"
#include "tests/ui/kept_window.h"
#include "ui/chat/ledger_view.h"
#include "ui/inspect/inspector_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

using engine::StopReason;
using Fixture = tests::CompareFixture;

class TestComparePage : public QObject {
    Q_OBJECT
private slots:
    void whyHereOpensFourColumnsAndRunsWhatTheTokensDoNotTell();
    void whatWouldBeTheSameIsNotRun();
    void theButtonUnderAnAnswerAsksToo();
    void anAnswerThatNothingWouldChangeIsShownWithTheReasons();
    void whyHereComesBackWithWhatWasTheSame();
    void whyHereWithoutAModelSaysSoInItsColumns();
    void whyHereReadsTheTokensOfAnEarlierStartFirst();
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
    void theChipOpensTheLedgerUnderItsHead();
    void passedChecksAreCountedWhileRunsAreWritten();
    void figuresAreThoseOfEachRun();
};

void TestComparePage::whyHereOpensFourColumnsAndRunsWhatTheTokensDoNotTell()
{
    Fixture fixture;
    fixture.pressInWindow(Qt::Key_Y);
    QVERIFY(fixture.page() && fixture.page()->isVisible());
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.page()->head(0).accessibleName(), QString("Run A  as run"));
    QCOMPARE(fixture.page()->head(1).accessibleName(), QString("Run B  cap doubled to 2,048"));
    QCOMPARE(fixture.page()->head(2).accessibleName(), QString("Run C  stop strings off"));
    QCOMPARE(fixture.page()->head(3).accessibleName(), QString("Run D  end tokens ignored"));
    // One token of 1,024: the cap did not end it by its tokens. Only what it never had is the same.
    QCOMPARE(fixture.engine.requests.size(), size_t(3));
    QCOMPARE(fixture.engine.requests[1].lengthCap, 2048);
    QVERIFY(fixture.engine.requests[2].ignoreEndTokens);
    for (size_t i : { 1, 2 })
        QCOMPARE(fixture.engine.requests[i].sampling, fixture.engine.requests.front().sampling);
    QVERIFY2(fixture.remark(2).contains("it had no stop strings"), qPrintable(fixture.remark(2)));
    QCOMPARE(fixture.page()->text(2).text(), QString("1, 2, 3"));
    QVERIFY(fixture.page()->head(2).accessibleDescription().contains("it had no stop strings"));
    QVERIFY(fixture.remark(1).isEmpty());
    QCOMPARE(fixture.label("runCounts"), QString("3 runs · 1 length cap · 2 under way")); // A and C are one run
}

void TestComparePage::whatWouldBeTheSameIsNotRun()
{
    Fixture fixture(1);
    fixture.pressInWindow(Qt::Key_Y);
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.engine.requests.size(), size_t(2)); // the cap doubled
    QCOMPARE(fixture.engine.requests[1].lengthCap, 2);
    QCOMPARE(fixture.remark(2), QString("The same tokens: the length cap ended it; it had no stop strings."));
    QCOMPARE(fixture.remark(3), QString("The same tokens: the length cap ended it."));
    QCOMPARE(fixture.page()->head(3).words().state, fixture.page()->head(0).words().state);
    fixture.engine.token("1, 2, 3, 4");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.page()->text(1).text(), QString("1, 2, 3, 4"));
    QCOMPARE(fixture.page()->text(3).text(), QString("1, 2, 3"));
    fixture.page()->setCurrent(3);
    QTest::keyClick(&fixture.page()->head(3), Qt::Key_Return); // opens the answer itself
    QCOMPARE(fixture.chat().lastAnswer()->text(), std::string("1, 2, 3"));
}

void TestComparePage::theButtonUnderAnAnswerAsksToo()
{
    Fixture fixture;
    auto* button = fixture.lastAnswer()->footer().findChild<QToolButton*>("whyHere");
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    fixture.settle();
    QVERIFY(fixture.page());
    QCOMPARE(fixture.engine.requests.size(), size_t(3));
}

void TestComparePage::anAnswerThatNothingWouldChangeIsShownWithTheReasons()
{
    Fixture fixture;
    fixture.send("More");
    const int full = int(fixture.engine.requests.back().promptIds.size()) + 1;
    fixture.engine.token("4");
    fixture.engine.end(StopReason::ContextFull, [&](engine::RunEnded& end) { end.ledger.contextLength = full; });
    fixture.settle();
    fixture.pressInWindow(Qt::Key_Y);
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.engine.requests.size(), size_t(2)); // nothing was run
    for (size_t i : { 1, 2, 3 }) {
        QVERIFY2(fixture.remark(i).contains("the context was full"), qPrintable(fixture.remark(i)));
        QCOMPARE(fixture.page()->text(i).text(), QString("4"));
    }
}

void TestComparePage::whyHereComesBackWithWhatWasTheSame()
{
    Fixture fixture(1);
    fixture.pressInWindow(Qt::Key_Y);
    fixture.engine.token("1, 2, 3, 4");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    fixture.page()->close();
    QTRY_VERIFY(!fixture.page());
    fixture.pressInWindow(Qt::Key_G);
    QVERIFY(fixture.page());
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.page()->head(0).accessibleName(), QString("Run A  as run"));
    QCOMPARE(fixture.page()->text(1).text(), QString("1, 2, 3, 4"));
    QVERIFY(fixture.remark(2).contains("it had no stop strings"));
    QCOMPARE(fixture.page()->text(3).text(), QString("1, 2, 3"));
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
}

void TestComparePage::whyHereWithoutAModelSaysSoInItsColumns()
{
    Fixture fixture(1);
    fixture.workspace.unloadModel();
    fixture.settle();
    fixture.pressInWindow(Qt::Key_Y);
    QCOMPARE(fixture.page()->columnCount(), size_t(4));
    QCOMPARE(fixture.page()->head(1).words().state, QString("No model is loaded"));
    QCOMPARE(fixture.page()->text(2).text(), QString("1, 2, 3")); // what the tokens tell needs no model
}

void TestComparePage::whyHereReadsTheTokensOfAnEarlierStartFirst()
{
    QTemporaryDir folder;
    {
        tests::KeptWindow program(folder);
        app::ChatSettings settings = program.chat().settings();
        settings.lengthCap = 1;
        program.chat().setSettings(settings);
        program.converse("Count", "1, 2, 3", StopReason::LengthCap);
        program.workspace.close();
    }
    const auto reopened = [](tests::KeptWindow& program) {
        for (const auto& chat : program.workspace.conversations())
            if (chat->title() == QString("Count"))
                program.window.showConversation(chat.get());
        return QTest::qWaitFor([&] { return program.chat().lastAnswer() != nullptr; }, 5000)
            && !program.chat().lastAnswer()->hasDetails();
    };
    const auto isShown = [](tests::KeptWindow& program) {
        return QTest::qWaitFor([&] { return program.window.compare().page() != nullptr; }, 5000);
    };
    {
        tests::KeptWindow program(folder);
        QVERIFY(reopened(program));
        program.window.compare().whyHere(program.chat(), *program.chat().lastAnswerTurn());
        QVERIFY(isShown(program));
        ui::ComparePage& page = *program.window.compare().page();
        QCOMPARE(page.columnCount(), size_t(4));
        QTRY_COMPARE(program.engine.requests.size(), size_t(1)); // the others are known to be the same
        QCOMPARE(program.engine.requests[0].lengthCap, 2);
        QVERIFY(page.head(3).accessibleDescription().contains("the length cap ended it"));
        program.answerNext(0, "1, 2, 3, 4", StopReason::EndToken);
        program.workspace.close();
    }
    // The same columns come back at the next start.
    tests::KeptWindow program(folder);
    QVERIFY(reopened(program));
    QVERIFY(program.window.compare().showGridOf(program.chat(), *program.chat().lastAnswerTurn()));
    QVERIFY(isShown(program));
    ui::ComparePage& page = *program.window.compare().page();
    QCOMPARE(page.columnCount(), size_t(4));
    QCOMPARE(page.text(1).text(), QString("1, 2, 3, 4"));
    QVERIFY(page.head(2).accessibleDescription().contains("it had no stop strings"));
    QCOMPARE(page.text(3).text(), QString("1, 2, 3"));
    QVERIFY(program.engine.requests.empty());
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
    auto* chip = page.head(1).findChild<QAbstractButton*>("stopReason");
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

void TestComparePage::theChipOpensTheLedgerUnderItsHead()
{
    Fixture fixture;
    fixture.compareCaps();
    fixture.tell(0, "1");
    fixture.endRun(0, StopReason::EndToken);
    fixture.settle();
    ui::ComparePage& page = *fixture.page();
    page.activateWindow();
    QTRY_VERIFY(page.isActiveWindow());
    auto* chip = page.head(1).findChild<QAbstractButton*>("stopReason");
    QVERIFY(chip->isVisible());
    QVERIFY(!page.head(2).findChild<QAbstractButton*>("stopReason")->isVisible()); // under way
    QTest::mouseClick(chip, Qt::LeftButton);
    fixture.settle();
    QVERIFY(page.isLedgerShown(1) && !page.isLedgerShown(0));
    auto* ledger = page.findChild<ui::LedgerView*>();
    QVERIFY(ledger->isVisible());
    QVERIFY2(ledger->words().cause.contains("end token"), qPrintable(ledger->words().cause));
    // Under its head, above its text, in its column.
    const QPoint top = ledger->mapTo(&page, QPoint(0, 0));
    QVERIFY(top.y() >= page.head(1).mapTo(&page, QPoint(0, page.head(1).height())).y());
    QVERIFY(page.text(1).mapTo(&page, QPoint(0, 0)).y() >= top.y() + ledger->height());
    QCOMPARE(top.x(), page.text(1).mapTo(&page, QPoint(0, 0)).x());
    for (size_t i = 0; i < page.columnCount(); ++i)
        QCOMPARE(page.text(i).mapTo(&page, QPoint(0, 0)).x(), page.head(i).mapTo(&page, QPoint(0, 0)).x());

    QTest::keyClick(chip, Qt::Key_Space);
    QVERIFY(!page.isLedgerShown(1));
    page.setCurrent(1);
    QTest::keyClick(&page.head(1), Qt::Key_Space);
    QVERIFY(page.isLedgerShown(1));
    QTest::keyClick(&page.head(1), Qt::Key_Escape); // the ledger, not the window
    QVERIFY(!page.isLedgerShown(1));
    QVERIFY(page.isVisible());
    page.setCurrent(2);
    QTest::keyClick(&page.head(2), Qt::Key_Space); // has no stop reason yet
    QVERIFY(!page.isLedgerShown(2));
    page.setCurrent(1);
    QTest::keyClick(&page.head(1), Qt::Key_Space);
    QTest::mouseClick(page.findChild<QWidget*>("closeLedger"), Qt::LeftButton);
    QVERIFY(!page.isLedgerShown(1));
}

void TestComparePage::passedChecksAreCountedWhileRunsAreWritten()
{
    Fixture fixture;
    fixture.compareCaps();
    QVERIFY(fixture.label("checksPassed").isEmpty()); // nothing is asked
    const std::string set = R"({"requirement_set": 1, "name": "Counted", "requirements": [)"
                            R"({"kind": "field", "name": "four", "pattern": "4 "}]})";
    app::ChatSettings settings = fixture.chat().settings();
    settings.requirements = app::ChosenRequirements { false, "counted.json", app::sha256Hex(set), set };
    fixture.chat().setSettings(settings);
    QTRY_COMPARE(fixture.label("checksPassed"), QString("checks passed 0 of 4"));
    fixture.tell(0, "1, 2, 3, 4 and");
    fixture.tell(1, "1, 2");
    QTRY_COMPARE(fixture.checks(1), QString("present so far 1 of 1 · not ready"));
    QTRY_COMPARE(fixture.checks(2), QString("present so far 0 of 1 · not ready"));
    fixture.endRun(0, StopReason::EndToken);
    QTRY_COMPARE(fixture.label("checksPassed"), QString("checks passed 1 of 4"));
    fixture.endRun(1, StopReason::EndToken);
    fixture.endRun(2, StopReason::LengthCap);
    QTRY_COMPARE(fixture.checks(2), QString("0 of 1 · checks failed"));
    QCOMPARE(fixture.checks(1), QString("1 of 1 · ready"));
    QCOMPARE(fixture.label("checksPassed"), QString("checks passed 1 of 4"));
}

void TestComparePage::figuresAreThoseOfEachRun()
{
    Fixture fixture;
    fixture.compareCaps();
    for (int i = 0; i < 3; ++i) {
        fixture.tell(0, "x");
        fixture.settle();
    }
    QVERIFY2(fixture.columnText(1, "figures").contains("first output"), qPrintable(fixture.columnText(1, "figures")));
    QVERIFY2(fixture.page()->head(1).words().state.contains("/s"), qPrintable(fixture.page()->head(1).words().state));
    // In a narrow column the state is cut off, the figures wrap.
    QCOMPARE(fixture.columnText(1, "draftState"), QString("Partial · writing"));
    QVERIFY2(fixture.columnText(1, "figures").contains(QRegularExpression("^3 tokens · [0-9.,]+/s · ")),
        qPrintable(fixture.columnText(1, "figures")));
    fixture.endRun(0, StopReason::EndToken);
    fixture.settle();
    const QString figures = fixture.columnText(1, "figures");
    QVERIFY2(figures.contains(QRegularExpression("wrote 3 at [0-9.,]+/s")), qPrintable(figures));
    QVERIFY2(figures.contains(QRegularExpression("first output [0-9.,]+ s")), qPrintable(figures));
    // Also of a run that has ended before anything of it was seen.
    fixture.tell(1, "y");
    fixture.endRun(1, StopReason::EndToken);
    QTRY_VERIFY(fixture.page()->head(2).words().chip.startsWith("end token"));
    QTRY_VERIFY2(fixture.columnText(2, "figures").contains("first output"), qPrintable(fixture.columnText(2, "figures")));
}

QTEST_MAIN(TestComparePage)
#include "tst_compare_page.moc"
