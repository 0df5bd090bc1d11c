#include "tests/ui/window_fixture.h"
#include "ui/find/find_bar.h"
#include "ui/find/find_line.h"
#include "ui/find/text_matches.h"

#include <QScrollBar>

using tests::WindowFixture;

namespace {

/// Two questions and two answers with three places of "lamp".
struct Chat : WindowFixture {
    Chat()
    {
        loadModel();
        ask("Tell of a lamp", "A LAMP shines.\n\nIt is warm.");
        ask("Go on", "The lamp is out.");
    }
    void ask(const QString& question, const std::string& answer)
    {
        send(question);
        engine.token(answer);
        engine.end(engine::StopReason::EndToken);
        settle();
    }
    QLineEdit& line() { return window.chatPage().findBar().line(); }
    QString count() { return window.findChild<QLabel*>(QStringLiteral("findCount"))->text(); }
    void find(const QString& text)
    {
        QTest::keyClick(edit(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(line().hasFocus());
        QTest::keyClicks(&line(), text);
    }
    /// "turn: text" of what is selected.
    QString selected()
    {
        QStringList texts;
        for (size_t i = 0; i < chat().turnCount(); ++i)
            if (const ui::TextSurface* surface = view().surfaceAt(i); surface->hasSelection())
                texts.append(QStringLiteral("%1: %2").arg(i).arg(surface->selectedText()));
        return texts.join(QStringLiteral(", "));
    }
};

}

class TestFindBar : public QObject {
    Q_OBJECT
private slots:
    void placesAreCountedAndSelectedInTurn();
    void f3GoesOnFromTheMessageBox();
    void escClosesBeforeItStopsARun();
    void whatIsBeingWrittenIsSearchedToo();
    void aPlaceFarUpIsScrolledIntoView();
    void noMatchIsSaid();
    void anotherConversationStartsAnew();
    void caseAndAccentsDoNotMatter();
};

void TestFindBar::placesAreCountedAndSelectedInTurn()
{
    Chat fixture;
    fixture.find("lamp");
    QCOMPARE(fixture.count(), QStringLiteral("1 of 3"));
    QCOMPARE(fixture.selected(), QStringLiteral("0: lamp"));
    QTest::keyClick(&fixture.line(), Qt::Key_Return);
    QCOMPARE(fixture.count(), QStringLiteral("2 of 3"));
    QCOMPARE(fixture.selected(), QStringLiteral("1: LAMP"));
    QTest::keyClick(&fixture.line(), Qt::Key_Return);
    QCOMPARE(fixture.selected(), QStringLiteral("3: lamp"));
    QTest::keyClick(&fixture.line(), Qt::Key_Return); // around
    QCOMPARE(fixture.selected(), QStringLiteral("0: lamp"));
    QTest::keyClick(&fixture.line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(fixture.count(), QStringLiteral("3 of 3"));
    QCOMPARE(fixture.selected(), QStringLiteral("3: lamp"));
}

void TestFindBar::f3GoesOnFromTheMessageBox()
{
    Chat fixture;
    fixture.find("lamp");
    fixture.edit()->setFocus();
    QTest::keyClick(fixture.edit(), Qt::Key_F3);
    QCOMPARE(fixture.count(), QStringLiteral("2 of 3"));
    QTest::keyClick(fixture.edit(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(fixture.count(), QStringLiteral("1 of 3"));
}

void TestFindBar::escClosesBeforeItStopsARun()
{
    Chat fixture;
    fixture.send("Once more");
    fixture.engine.token("The");
    fixture.settle();
    fixture.find("lamp");
    QTest::keyClick(&fixture.line(), Qt::Key_Escape);
    QVERIFY(!fixture.window.chatPage().findBar().isVisible());
    QVERIFY(fixture.engine.cancelled.empty());
    QTRY_VERIFY(fixture.edit()->hasFocus());
    QTest::keyClick(fixture.edit(), Qt::Key_Escape);
    QTRY_COMPARE(fixture.engine.cancelled.size(), size_t(1));
}

void TestFindBar::whatIsBeingWrittenIsSearchedToo()
{
    Chat fixture;
    fixture.find("lamp");
    fixture.workspace.send(fixture.chat(), "More");
    fixture.settle();
    fixture.engine.token("One more lamp");
    QTRY_COMPARE(fixture.count(), QStringLiteral("1 of 4"));
    QCOMPARE(fixture.selected(), QStringLiteral("0: lamp"));
}

void TestFindBar::aPlaceFarUpIsScrolledIntoView()
{
    Chat fixture;
    for (int i = 0; i < 10; ++i)
        fixture.ask(QStringLiteral("Question %1").arg(i), "A line.\n\nAnother.\n\nA third.");
    QVERIFY(fixture.view().verticalScrollBar()->value() > 100);
    fixture.find("shines");
    const ui::TextSurface* surface = fixture.view().surfaceAt(1);
    const QRect caret
        = surface->caretRect().translated(surface->mapTo(fixture.view().viewport(), QPoint()));
    QVERIFY(fixture.view().viewport()->rect().contains(caret));
}

void TestFindBar::noMatchIsSaid()
{
    Chat fixture;
    fixture.find("lampx");
    QCOMPARE(fixture.count(), QStringLiteral("no matches"));
    QCOMPARE(fixture.selected(), QString());
}

void TestFindBar::anotherConversationStartsAnew()
{
    Chat fixture;
    fixture.find("lamp");
    QTest::keyClick(&fixture.line(), Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(fixture.count(), QStringLiteral("no matches"));
}

void TestFindBar::caseAndAccentsDoNotMatter()
{
    const auto found = ui::textMatches(QStringLiteral("Café cafe CAFÉ"), QStringLiteral("cafe"));
    QCOMPARE(found.size(), size_t(3));
    QCOMPARE(found[1].start, 5);
    QVERIFY(ui::textMatches(QStringLiteral("anything"), QString()).empty());
    QCOMPARE(ui::textMatches(QStringLiteral("aaaa"), QStringLiteral("aa")).size(), size_t(2));
}

QTEST_MAIN(TestFindBar)
#include "tst_find_bar.moc"
