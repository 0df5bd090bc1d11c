#include "tests/ui/window_fixture.h"
#include "ui/chat/ledger_row_view.h"
#include "ui/chat/ledger_view.h"
#include "ui/chat/plain_text_page.h"
#include "ui/chat/quiet_button.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QToolButton>

using engine::StopReason;

namespace {
struct LedgerFixture : tests::WindowFixture {
    LedgerFixture()
    {
        loadModel();
        send("Count");
    }
    void tell(const std::vector<std::string>& pieces)
    {
        for (const std::string& piece : pieces)
            engine.piece(piece);
    }
    void capped()
    {
        tell({ "1", ", ", "2", ", ", "3" });
        engine.endPieces(StopReason::LengthCap, withEntries);
        settle();
    }
    static void withEntries(engine::RunEnded& end)
    {
        end.ledger.lengthCap = 5;
        end.ledger.entries = {
            { StopReason::EndToken, false, "not sampled; probability 0.2 at the last token" },
            { StopReason::StopString, false, "none set" },
            { StopReason::LengthCap, true, "5 of 5" },
            { StopReason::ContextFull, false, "used 60 of 8192" },
        };
    }
    ui::LedgerView* ledger()
    {
        auto* view = lastAnswer()->findChild<ui::LedgerView*>();
        return view && view->isVisible() ? view : nullptr;
    }
    template <typename Widget> Widget* part(const char* name)
    {
        return ledger()->findChild<Widget*>(QString::fromLatin1(name));
    }
    QWidget* focus() { return QApplication::focusWidget(); }
    void open()
    {
        chip()->setFocus();
        QTest::keyClick(chip(), Qt::Key_Space);
        settle();
    }
};
}

/// The ledger of an answer, opened and walked as a person does it.
class TestLedgerView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }
    void theChipOpensAndClosesItByKeyAndMouse();
    void escapeClosesItBeforeItStopsARun();
    void tabWalksFromTheChipThroughRowsAndButtons();
    void itStandsUnderTheFooterAndMovesWhatFollows();
    void rowsAreSentencesForAssistiveSoftware();
    void itCopiesAsText();
    void aFailureShowsItsError();
    void theDecidingTokenIsSelected_data();
    void theDecidingTokenIsSelected();
    void anEndTokenPutsTheCaretAtTheEnd();
    void aTokenAboveTheViewIsScrolledTo();
    void anotherDraftShowsItsOwnLedger();
    void aPageOfPlainTextHasOneToo();
};

void TestLedgerView::theChipOpensAndClosesItByKeyAndMouse()
{
    LedgerFixture fixture;
    fixture.tell({ "1" });
    fixture.settle();
    QVERIFY(!fixture.chip()->isVisible()); // nothing has ended it yet
    fixture.capped();
    QVERIFY(!fixture.ledger());
    fixture.chip()->setFocus();
    for (const Qt::Key key : { Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space }) {
        QTest::keyClick(fixture.chip(), key);
        QVERIFY(fixture.ledger());
        QVERIFY(fixture.chip()->accessibleDescription().startsWith("Unfolded"));
        QTest::keyClick(fixture.chip(), key);
        QVERIFY(!fixture.ledger());
        QVERIFY(fixture.chip()->accessibleDescription().startsWith("Folded"));
    }
    QTest::mouseClick(fixture.chip(), Qt::LeftButton);
    QVERIFY(fixture.ledger());
    QVERIFY(fixture.part<QLabel>("ledgerCause")->text().contains("length cap of 5 tokens"));
    QTest::mouseClick(fixture.part<QToolButton>("closeLedger"), Qt::LeftButton);
    QVERIFY(!fixture.ledger());
    QCOMPARE(fixture.focus(), fixture.chip());
}

void TestLedgerView::escapeClosesItBeforeItStopsARun()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.send("More");
    ui::AnswerView* first = fixture.view().answerAt(1);
    auto* chip = first->findChild<ui::Chip*>();
    chip->setFocus();
    QTest::keyClick(chip, Qt::Key_Space);
    QVERIFY(first->isLedgerShown());
    auto* row = first->findChild<ui::LedgerRowView*>();
    row->setFocus();
    QTest::keyClick(row, Qt::Key_Escape);
    QVERIFY(!first->isLedgerShown());
    QVERIFY(fixture.engine.cancelled.empty());
    QCOMPARE(fixture.focus(), chip);
    QTest::keyClick(chip, Qt::Key_Escape); // nothing is open any more
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
}

void TestLedgerView::tabWalksFromTheChipThroughRowsAndButtons()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.open();
    QList<QWidget*> expected;
    for (auto* row : fixture.ledger()->findChildren<ui::LedgerRowView*>())
        expected.append(row);
    QCOMPARE(expected.size(), 4);
    for (const char* name : { "showDecidingToken", "copyLedger", "closeLedger" })
        expected.append(fixture.part<QToolButton>(name));
    for (QWidget* next : expected) {
        QTest::keyClick(fixture.focus(), Qt::Key_Tab);
        QVERIFY2(fixture.focus() == next, qPrintable(fixture.focus()->objectName()));
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(next);
        QVERIFY(!accessible->text(QAccessible::Name).isEmpty());
    }
    for (int i = 0; i < expected.size(); ++i)
        QTest::keyClick(fixture.focus(), Qt::Key_Backtab);
    QCOMPARE(fixture.focus(), fixture.chip());
}

void TestLedgerView::itStandsUnderTheFooterAndMovesWhatFollows()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.send("More");
    ui::AnswerView* first = fixture.view().answerAt(1);
    const int before = fixture.lastAnswer()->y();
    first->setLedgerShown(true);
    fixture.settle();
    auto* ledger = first->findChild<ui::LedgerView*>();
    QVERIFY(ledger->y() >= first->footer().geometry().bottom());
    QVERIFY(ledger->geometry().bottom() <= first->height());
    QVERIFY(fixture.lastAnswer()->y() >= before + ledger->height());
    // All of every row is on screen, in a narrow window too.
    for (const int width : { 1300, 700, 520 }) {
        fixture.window.resize(width, 700);
        fixture.settle();
        for (auto* row : ledger->findChildren<ui::LedgerRowView*>()) {
            QVERIFY(row->height() >= row->heightForWidth(row->width()));
            QVERIFY(row->geometry().right() <= ledger->width());
        }
        QVERIFY(ledger->height() >= ledger->heightForWidth(ledger->width()));
    }
    first->setLedgerShown(false);
    fixture.window.resize(1300, 700);
    fixture.settle();
}

void TestLedgerView::rowsAreSentencesForAssistiveSoftware()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.open();
    QStringList spoken;
    for (auto* row : fixture.ledger()->findChildren<ui::LedgerRowView*>())
        spoken.append(QAccessible::queryAccessibleInterface(row)->text(QAccessible::Name));
    QCOMPARE(spoken[0],
        QString("End token: not sampled; probability 0.2 at the last token, did not hold"));
    QCOMPARE(spoken[2], QString("Length cap: 5 of 5 tokens, ended the answer"));
}

void TestLedgerView::itCopiesAsText()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.open();
    const QString expected = fixture.ledger()->words().text();
    QTest::mouseClick(fixture.part<QToolButton>("copyLedger"), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), expected);
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(
        fixture.ledger()->findChild<ui::LedgerRowView*>(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), expected);
}

void TestLedgerView::aFailureShowsItsError()
{
    LedgerFixture fixture;
    fixture.tell({ "1" });
    fixture.engine.endPieces(StopReason::Failed, [](engine::RunEnded& end) {
        end.ledger.error = engine::Error::outOfMemory("No room for 12 MiB of scores.");
    });
    fixture.settle();
    fixture.open();
    QCOMPARE(fixture.part<QLabel>("ledgerError")->text(), QString("No room for 12 MiB of scores."));
    QVERIFY(fixture.part<QLabel>("ledgerError")->isVisible());
}

void TestLedgerView::theDecidingTokenIsSelected_data()
{
    QTest::addColumn<QList<QByteArray>>("pieces");
    QTest::addColumn<int>("deciding");
    QTest::addColumn<QString>("selected");
    QTest::newRow("last word") << QList<QByteArray> { "opens", " on", " Monday" } << 2 << " Monday";
    QTest::newRow("in bold") << QList<QByteArray> { "It is ", "**ver", "y", "** late" } << 2 << "y";
    QTest::newRow("second paragraph")
        << QList<QByteArray> { "One.\n\n", "Two", " words" } << 2 << " words";
    QTest::newRow("emoji") << QList<QByteArray> { "a ", "\xF0\x9F", "\x8C", "\x9F" } << 2
                           << QString::fromUtf8("🌟");
    QTest::newRow("table") << QList<QByteArray> { "| a | b |\n|---|---|\n| c | ", "dd", " |\n" }
                           << 1 << "dd";
    QTest::newRow("list in code") << QList<QByteArray> { "- x\n- y\n\n```\nint ", "a = 1",
        ";\n```\n" } << 1 << "a = 1";
}

void TestLedgerView::theDecidingTokenIsSelected()
{
    QFETCH(QList<QByteArray>, pieces);
    QFETCH(int, deciding);
    QFETCH(QString, selected);
    LedgerFixture fixture;
    for (const QByteArray& piece : pieces)
        fixture.engine.piece(piece.toStdString());
    fixture.engine.endPieces(StopReason::LengthCap,
        [&](engine::RunEnded& end) { end.ledger.decidingTokenIndex = deciding; });
    fixture.settle();
    fixture.open();
    auto* show = fixture.part<QToolButton>("showDecidingToken");
    show->setFocus();
    QTest::keyClick(show, Qt::Key_Space);
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    QCOMPARE(surface.selectedText(), selected);
    QCOMPARE(fixture.focus(), &surface);
    // Assistive software finds the same selection.
    QAccessibleTextInterface* text
        = QAccessible::queryAccessibleInterface(&surface)->textInterface();
    int start = 0;
    int end = 0;
    text->selection(0, &start, &end);
    QCOMPARE(text->text(start, end), selected);
    QCOMPARE(text->cursorPosition(), end);
    QTest::keyClick(&surface, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), selected);
}

void TestLedgerView::anEndTokenPutsTheCaretAtTheEnd()
{
    LedgerFixture fixture;
    fixture.tell({ "Hello", "!" });
    fixture.engine.piece("");
    fixture.engine.endPieces(StopReason::EndToken);
    fixture.settle();
    fixture.open();
    QTest::mouseClick(fixture.part<QToolButton>("showDecidingToken"), Qt::LeftButton);
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    QVERIFY(!surface.hasSelection());
    QCOMPARE(surface.selection().end, int(surface.plainText().size()));
    // The caret is seen: a bar of the accent colour stands after the last letter.
    const QImage image = surface.grab().toImage();
    const QRect caret = surface.caretRect();
    QCOMPARE(image.pixelColor(caret.center()).rgb(), ui::Theme::of(surface.palette()).accent.rgb());
    QTest::mouseClick(&surface, Qt::LeftButton, {}, QPoint(2, 4));
    QVERIFY(surface.grab().toImage().pixelColor(caret.center()).rgb()
        != ui::Theme::of(surface.palette()).accent.rgb());
}

void TestLedgerView::aTokenAboveTheViewIsScrolledTo()
{
    LedgerFixture fixture;
    for (int i = 0; i < 150; ++i)
        fixture.engine.piece("A line of many.\n\n");
    fixture.engine.endPieces(
        StopReason::LengthCap, [](engine::RunEnded& end) { end.ledger.decidingTokenIndex = 3; });
    fixture.settle(150);
    fixture.open();
    QScrollBar* bar = fixture.view().verticalScrollBar();
    QVERIFY(bar->value() > 500);
    QTest::mouseClick(fixture.part<QToolButton>("showDecidingToken"), Qt::LeftButton);
    const ui::TextSurface& surface = fixture.lastAnswer()->surface();
    const QPoint caret = surface.mapTo(fixture.view().viewport(), surface.caretRect().center());
    QVERIFY(fixture.view().viewport()->rect().contains(caret));
}

void TestLedgerView::anotherDraftShowsItsOwnLedger()
{
    LedgerFixture fixture;
    fixture.capped();
    fixture.open();
    QTest::keyClick(&fixture.window, Qt::Key_R, Qt::ControlModifier);
    fixture.settle();
    QVERIFY(!fixture.ledger()); // the new draft has not ended
    fixture.tell({ "x" });
    fixture.engine.endPieces(StopReason::EndToken);
    fixture.settle();
    fixture.open();
    QVERIFY(fixture.part<QLabel>("ledgerCause")->text().startsWith("The model ended it"));
    fixture.chat().showSibling(fixture.chat().turnCount() - 1, -1);
    fixture.settle();
    QVERIFY(fixture.part<QLabel>("ledgerCause")->text().contains("length cap of 5"));
}

void TestLedgerView::aPageOfPlainTextHasOneToo()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    ui::PlainTextPage& page = fixture.window.plainTextPage();
    QTest::keyClicks(&page.edit(), "The exhibition");
    QTest::keyClick(&fixture.window, Qt::Key_Return, Qt::ControlModifier);
    fixture.engine.piece(" opens");
    fixture.engine.piece(" on");
    fixture.engine.endPieces(StopReason::LengthCap);
    fixture.settle();
    auto* chip = page.findChild<ui::Chip*>();
    auto* ledger = page.findChild<ui::LedgerView*>();
    QVERIFY(chip->isVisible() && !ledger->isVisible());
    chip->setFocus();
    QTest::keyClick(chip, Qt::Key_Return);
    QVERIFY(ledger->isVisible());
    QTest::mouseClick(ledger->findChild<QToolButton*>("showDecidingToken"), Qt::LeftButton);
    QCOMPARE(page.edit().textCursor().selectedText(), QString(" on"));
    chip->setFocus();
    QTest::keyClick(chip, Qt::Key_Escape);
    QVERIFY(!ledger->isVisible());
}

QTEST_MAIN(TestLedgerView)
#include "tst_ledger_view.moc"
