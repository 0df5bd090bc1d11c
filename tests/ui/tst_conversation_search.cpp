#include "tests/ui/kept_window.h"
#include "ui/chat/text_surface.h"
#include "ui/find/search_results.h"

#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>

using tests::KeptWindow;

namespace {

QLineEdit* line(KeptWindow& program)
{
    return program.window.findChild<QLineEdit*>(QStringLiteral("searchConversations"));
}

QListView* results(KeptWindow& program)
{
    return program.window.findChild<QListView*>(QStringLiteral("searchResults"));
}

QString note(KeptWindow& program)
{
    const auto* label = program.window.findChild<QLabel*>(QStringLiteral("searchNote"));
    return label->isVisible() ? label->text() : QString();
}

/// Types a search by keyboard alone and waits for what it says.
void search(KeptWindow& program, const QString& text)
{
    program.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(line(program)->hasFocus());
    QTest::keyClicks(line(program), text);
    QTest::qWait(300);
}

const std::vector<app::SearchHit>& hits(KeptWindow& program)
{
    return qobject_cast<ui::SearchResultsModel*>(results(program)->model())->hits();
}

}

class TestConversationSearch : public QObject {
    Q_OBJECT
private slots:
    void resultsReplaceTheListWhileThereIsText();
    void enterShowsTheVeryMessageOnItsBranch();
    void aMessageFarUpIsScrolledIntoView();
    void aConversationThatIsNotReadYetIsOpenedAtTheMessage();
    void enterBeforeTheAnswerOpensTheFirstHit();
    void statesCanBeAskedFor();
    void aSentenceSaysThatNothingWasFoundOrUnderstood();
    void marksAreBoldAndTextIsNeverHtml();
};

void TestConversationSearch::resultsReplaceTheListWhileThereIsText()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("When does the museum open?", "On Monday.");
    search(program, "museum");
    QTRY_VERIFY(results(program)->isVisible());
    QVERIFY(!program.list()->isVisible());
    QCOMPARE(hits(program).size(), size_t(2)); // the title and the message
    QTest::keyClick(line(program), Qt::Key_Escape);
    QVERIFY(line(program)->text().isEmpty());
    QVERIFY(program.list()->isVisible());
    QVERIFY(!results(program)->isVisible());
}

void TestConversationSearch::enterShowsTheVeryMessageOnItsBranch()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Name an animal", "The aardvark digs.");
    QVERIFY(program.workspace.regenerate(program.chat()));
    program.answerNext(1, "The zebra runs.");
    QVERIFY(program.chat().lastAnswer()->text() == "The zebra runs.");
    const app::Conversation* first = &program.chat();
    QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(&program.chat() != first);

    search(program, "aardvark");
    QCOMPARE(hits(program).size(), size_t(1));
    QTest::keyClick(line(program), Qt::Key_Return);
    QTRY_COMPARE(&program.chat(), first);
    QCOMPARE(program.chat().lastAnswer()->text(), std::string("The aardvark digs."));
    const ui::TextSurface* surface = program.window.chatPage().view().surfaceAt(1);
    QVERIFY(surface);
    QCOMPARE(surface->selectedText(), QStringLiteral("aardvark"));
}

void TestConversationSearch::aMessageFarUpIsScrolledIntoView()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Where is the needle?", "In the haystack.");
    for (int i = 0; i < 12; ++i)
        program.converse(QStringLiteral("Question %1").arg(i), "A line.\n\nAnother.\n\nA third.");
    ui::ChatView& view = program.window.chatPage().view();
    view.scrollToEnd();
    QVERIFY(view.verticalScrollBar()->value() > 100);
    search(program, "haystack");
    QTest::keyClick(line(program), Qt::Key_Return);
    const QWidget* surface = view.surfaceAt(1);
    const QRect shown(surface->mapTo(view.viewport(), QPoint()), surface->size());
    QVERIFY(view.viewport()->rect().contains(shown));
    QVERIFY(!view.isFollowing());
}

void TestConversationSearch::aConversationThatIsNotReadYetIsOpenedAtTheMessage()
{
    const QTemporaryDir folder;
    {
        KeptWindow program(folder);
        program.converse("Name a fruit", "The quince.");
        program.workspace.close();
    }
    KeptWindow program(folder);
    search(program, "quince");
    QCOMPARE(hits(program).size(), size_t(1));
    QTest::keyClick(line(program), Qt::Key_Return);
    QTRY_COMPARE(program.chat().turnCount(), size_t(2));
    QTRY_VERIFY(program.window.chatPage().view().surfaceAt(1));
    QTRY_COMPARE(
        program.window.chatPage().view().surfaceAt(1)->selectedText(), QStringLiteral("quince"));
}

void TestConversationSearch::enterBeforeTheAnswerOpensTheFirstHit()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("First subject", "One.");
    const app::Conversation* first = &program.chat();
    QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier);
    program.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(line(program), "subject");
    QTest::keyClick(line(program), Qt::Key_Return); // at once
    QTRY_COMPARE(&program.chat(), first);
}

void TestConversationSearch::statesCanBeAskedFor()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Count on", "1, 2, 3,", engine::StopReason::LengthCap);
    program.converse("And stop", "Done.");
    search(program, "is:capped in");
    QTRY_COMPARE(hits(program).size(), size_t(0)); // "in" occurs nowhere in that answer
    line(program)->clear();
    search(program, "is:capped");
    QTRY_COMPARE(hits(program).size(), size_t(1));
    QVERIFY(hits(program).front().excerpt.contains("1, 2, 3,"));
}

void TestConversationSearch::aSentenceSaysThatNothingWasFoundOrUnderstood()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Hello", "Hi.");
    search(program, "xylophone");
    QTRY_VERIFY(note(program).startsWith("Nothing found"));
    line(program)->clear();
    QVERIFY(note(program).isEmpty());
    search(program, "is:done");
    QTRY_VERIFY(note(program).contains("is:done"));
    QCOMPARE(hits(program).size(), size_t(0));
}

void TestConversationSearch::marksAreBoldAndTextIsNeverHtml()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Show <b>bold</b> markup", "As <i>you</i> wish.");
    search(program, "bold");
    QTRY_VERIFY(!hits(program).empty());
    const app::SearchHit& hit = hits(program).front();
    QVERIFY(hit.excerpt.contains("<b>bold</b>"));
    const auto formats = ui::boldMarks(hit);
    QCOMPARE(formats.size(), 1);
    QCOMPARE(hit.excerpt.mid(formats[0].start, formats[0].length), QStringLiteral("bold"));
    QVERIFY(formats[0].format.fontWeight() == QFont::Bold);
    const QModelIndex index = results(program)->model()->index(0, 0);
    QVERIFY(!index.data(Qt::ToolTipRole).toString().contains("<b>"));
}

QTEST_MAIN(TestConversationSearch)
#include "tst_conversation_search.moc"
