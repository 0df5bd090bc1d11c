#include "tests/ui/window_fixture.h"
#include "ui/chat/person_message.h"
#include "ui/chat/turn_actions.h"
#include "ui/notice_bar.h"

#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QTimer>
#include <QToolButton>

using engine::StopReason;

namespace {

struct TurnFixture : tests::WindowFixture {
    TurnFixture() { loadModel(); }

    void answer(
        const QString& question, const std::string& text, StopReason reason = StopReason::EndToken)
    {
        send(question);
        engine.token(text);
        engine.end(reason);
        settle();
    }
    template <typename Widget = QWidget> Widget* part(const char* name)
    {
        for (Widget* found : window.findChildren<Widget*>(QString::fromLatin1(name)))
            if (found->isVisible())
                return found;
        return nullptr;
    }
    QToolButton* continueButton() { return part<QToolButton>("continueAnswer"); }
    ui::NoticeBar* notice() { return part<ui::NoticeBar>("notice"); }
    /// A button of the window by what it is called to assistive software.
    QToolButton* named(QWidget* within, const QString& name)
    {
        for (QToolButton* button : within->findChildren<QToolButton*>())
            if (button->accessibleName() == name && button->isVisibleTo(within))
                return button;
        return nullptr;
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&window, key, modifiers);
        settle();
    }
    QString said(size_t turn) { return chat().turns().at(turn)->said(); }
};

}

/// Continuing, editing, deleting and beginning turns, with keys and the mouse.
class TestTurnEditing : public QObject {
    Q_OBJECT
private slots:
    void continueIsOfferedWhereAnAnswerIsUnfinished_data();
    void continueIsOfferedWhereAnAnswerIsUnfinished();
    void aKeyContinuesInPlace();
    void aCappedAnswerOffersALargerCap();
    void aFullContextOffersALongerOne();
    void theSeamOfAContinuedAnswerIsMarked();
    void aMessageIsEditedInItsPlaceAndSentAsABranch();
    void escapeLeavesTheEditorAndKeepsWhatWasTyped();
    void anAnswerIsEditedAsABranchAndSaysSo();
    void aDeletedMessageComesBackByUndo();
    void aDeletedConversationComesBackByUndo();
    void whatAPersonBeginsIsSentWithTheMessage();
    void switchingChatsNeverStopsARun();
    void closingAsksWhileAnAnswerIsWritten();
    void theEndOfTheSessionStopsRunsWithoutAsking();
    void aPrivateChatSaysSo();
};

void TestTurnEditing::continueIsOfferedWhereAnAnswerIsUnfinished_data()
{
    QTest::addColumn<int>("reason");
    for (const engine::StopReasonInfo& info : engine::stopReasonTable())
        QTest::newRow(info.name) << int(info.reason);
}

void TestTurnEditing::continueIsOfferedWhereAnAnswerIsUnfinished()
{
    QFETCH(int, reason);
    TurnFixture fixture;
    fixture.answer("Hi", "one", StopReason(reason));
    QCOMPARE(fixture.continueButton() != nullptr, StopReason(reason) != StopReason::EndToken);
}

void TestTurnEditing::aKeyContinuesInPlace()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one", StopReason::LengthCap);
    fixture.key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
    QCOMPARE(fixture.engine.requests.back().draftTokenCount, 1);
    QVERIFY(fixture.stateLabel()->text().startsWith("Partial"));
    QVERIFY(!fixture.continueButton());
    fixture.engine.token(" two");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.chat().turnCount(), size_t(2));
    QCOMPARE(fixture.said(1), QString("one two"));
    QVERIFY(fixture.stateLabel()->text().startsWith("Complete"));
    QVERIFY(fixture.figures().contains("2 tokens in 2 parts"));
}

void TestTurnEditing::aCappedAnswerOffersALargerCap()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one", StopReason::LengthCap);
    QMenu* menu = fixture.continueButton()->menu();
    QVERIFY(menu);
    QVERIFY(menu->actions().at(0)->text().contains("2,048"));
    menu->actions().at(0)->trigger();
    fixture.settle();
    QCOMPARE(fixture.engine.requests.back().lengthCap, 2048);
    QCOMPARE(fixture.engine.requests.back().draftTokenCount, 1);
    fixture.engine.end(StopReason::LengthCap);
    fixture.settle();
    fixture.continueButton()->menu()->actions().at(1)->trigger(); // regenerate
    fixture.settle();
    QCOMPARE(fixture.engine.requests.back().lengthCap, 4096);
    QCOMPARE(fixture.engine.requests.back().draftTokenCount, 0);
    QCOMPARE(fixture.chat().settings().lengthCap, 1024); // of these runs only
}

void TestTurnEditing::aFullContextOffersALongerOne()
{
    TurnFixture fixture;
    fixture.engine.description.contextLength = 128;
    fixture.window.openModel(QStringLiteral("/models/tiny.gguf"));
    fixture.engine.finishLoad();
    fixture.settle();
    fixture.answer("Hi", "one", StopReason::ContextFull);
    QAction* longer = nullptr;
    for (QAction* action : fixture.continueButton()->menu()->actions())
        if (action->text().contains("256"))
            longer = action;
    QVERIFY(longer);
    longer->trigger();
    fixture.settle();
    QCOMPARE(fixture.engine.loads.back().contextLength, 256);
}

void TestTurnEditing::theSeamOfAContinuedAnswerIsMarked()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one", StopReason::LengthCap);
    QVERIFY(fixture.lastAnswer()->surface().seams().empty());
    fixture.key(Qt::Key_Return, Qt::ControlModifier);
    fixture.engine.token(" two");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    const auto& seams = fixture.lastAnswer()->surface().seams();
    QCOMPARE(seams.size(), size_t(1));
    QCOMPARE(seams.front().position, 3);
}

void TestTurnEditing::aMessageIsEditedInItsPlaceAndSentAsABranch()
{
    TurnFixture fixture;
    fixture.answer("My name is Ana.", "Hello Ana");
    fixture.key(Qt::Key_E, Qt::ControlModifier);
    auto* editor = fixture.part<ui::MessageEdit>("turnEditor");
    QVERIFY(editor);
    QVERIFY(editor->hasFocus());
    QCOMPARE(editor->toPlainText(), QString("My name is Ana."));
    editor->selectAll();
    QTest::keyClicks(editor, "My name is Bob.");
    QTest::keyClick(editor, Qt::Key_Return); // a line, not a message sent by mistake
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
    QTest::keyClick(editor, Qt::Key_Backspace);
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    fixture.settle();
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
    QCOMPARE(fixture.said(0), QString("My name is Bob."));
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    // The old branch is a click away.
    auto* message = fixture.view().findChild<ui::PersonMessage*>();
    QTest::mouseClick(
        fixture.named(&message->actions(), "Previous version of this message"), Qt::LeftButton);
    fixture.settle();
    QCOMPARE(fixture.said(0), QString("My name is Ana."));
    QCOMPARE(fixture.said(1), QString("Hello Ana"));
}

void TestTurnEditing::escapeLeavesTheEditorAndKeepsWhatWasTyped()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one");
    fixture.key(Qt::Key_E, Qt::ControlModifier);
    auto* editor = fixture.part<ui::MessageEdit>("turnEditor");
    QTest::keyClicks(editor, " there, long");
    QTest::keyClick(editor, Qt::Key_Escape);
    fixture.settle();
    QVERIFY(!fixture.part<ui::MessageEdit>("turnEditor"));
    QCOMPARE(fixture.said(0), QString("Hi"));
    fixture.key(Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(fixture.part<ui::MessageEdit>("turnEditor")->toPlainText(), QString("Hi there, long"));
}

void TestTurnEditing::anAnswerIsEditedAsABranchAndSaysSo()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one");
    fixture.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    auto* editor = fixture.part<ui::MessageEdit>("turnEditor");
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, "uno");
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    fixture.settle();
    QCOMPARE(fixture.engine.requests.size(), size_t(1)); // nobody was asked
    QCOMPARE(fixture.said(1), QString("uno"));
    QVERIFY(fixture.stateLabel()->text().startsWith("Edited by you"));
    fixture.key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(fixture.said(1), QString("one"));
    QVERIFY(fixture.stateLabel()->text().startsWith("Complete"));
}

void TestTurnEditing::aDeletedMessageComesBackByUndo()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one");
    fixture.answer("More", "two");
    QList<ui::PersonMessage*> messages = fixture.view().findChildren<ui::PersonMessage*>();
    QTest::mouseClick(fixture.named(&messages.back()->actions(), "Delete message"), Qt::LeftButton);
    fixture.settle();
    QCOMPARE(fixture.chat().turnCount(), size_t(2));
    QVERIFY(fixture.notice());
    QTest::mouseClick(fixture.part<QPushButton>("noticeAction"), Qt::LeftButton);
    fixture.settle();
    QCOMPARE(fixture.chat().turnCount(), size_t(4));
    QVERIFY(!fixture.notice());
}

void TestTurnEditing::aDeletedConversationComesBackByUndo()
{
    TurnFixture fixture;
    fixture.answer("Hi", "one");
    app::Conversation* chat = &fixture.chat();
    auto* list = fixture.window.findChild<QListView*>(QStringLiteral("conversations"));
    for (QAction* action : list->actions())
        if (action->text().contains("Delete"))
            action->trigger();
    fixture.settle();
    QVERIFY(&fixture.chat() != chat);
    fixture.key(Qt::Key_Z, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(&fixture.chat(), chat);
    QCOMPARE(fixture.chat().turnCount(), size_t(2));
}

void TestTurnEditing::whatAPersonBeginsIsSentWithTheMessage()
{
    TurnFixture fixture;
    fixture.type("Write a letter.");
    fixture.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    auto* opening = fixture.part<ui::MessageEdit>("openingEdit");
    QVERIFY(opening);
    QVERIFY(opening->hasFocus());
    QTest::keyClicks(opening, "Dear");
    QTest::keyClick(opening, Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.engine.requests.back().draftTokenCount, 4);
    fixture.engine.token(" Ana");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.said(1), QString("Dear Ana"));
    QVERIFY(fixture.figures().contains("typed by you"));
    QVERIFY(!fixture.part<ui::MessageEdit>("openingEdit")); // for one answer
}

void TestTurnEditing::switchingChatsNeverStopsARun()
{
    TurnFixture fixture;
    fixture.send("First");
    fixture.engine.token("one");
    app::Conversation* first = &fixture.chat();
    fixture.key(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(&fixture.chat() != first);
    fixture.send("Second");
    QVERIFY(fixture.engine.cancelled.empty());
    QVERIFY(first->activeDraft());
    fixture.engine.queued(1);
    fixture.settle();
    QVERIFY(fixture.stateLabel()->text().contains("1 before this"));
    fixture.engine.end(StopReason::EndToken, [](engine::RunEnded& end) {
        end.timing.dequeuedMs = 2500; // waited for the first
        end.timing.endedMs = 4000;
    });
    fixture.settle();
    QVERIFY(fixture.figures().contains("waited 2.50 s"));
}

void TestTurnEditing::closingAsksWhileAnAnswerIsWritten()
{
    TurnFixture fixture;
    fixture.send("Hi");
    fixture.engine.token("one");
    fixture.settle();
    bool wasAsked = false;
    const auto answerWith = [&](const QString& words) {
        QTimer::singleShot(50, [&wasAsked, words] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return;
            wasAsked = true;
            for (QAbstractButton* button : box->buttons())
                if (button->text().contains(words))
                    return button->click();
        });
    };
    answerWith("Cancel");
    QVERIFY(!fixture.window.close());
    QVERIFY(wasAsked);
    QVERIFY(fixture.engine.cancelled.empty());
    answerWith("Stop and quit");
    QTimer::singleShot(150, [&] {
        fixture.engine.end(StopReason::Cancelled,
            [](engine::RunEnded& end) { end.ledger.cancelledBy = engine::CancelledBy::Closing; });
    });
    QVERIFY(fixture.window.close());
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
    QCOMPARE(fixture.chat().lastDraft()->ending()->ledger.cancelledBy,
        std::optional(engine::CancelledBy::Closing));
}

void TestTurnEditing::theEndOfTheSessionStopsRunsWithoutAsking()
{
    TurnFixture fixture;
    fixture.send("Hi");
    fixture.engine.token("one");
    QTimer::singleShot(50, [&] {
        QVERIFY(!QApplication::activeModalWidget());
        fixture.engine.end(StopReason::Cancelled,
            [](engine::RunEnded& end) { end.ledger.cancelledBy = engine::CancelledBy::Closing; });
    });
    fixture.window.closeWithoutAsking();
    QVERIFY(!fixture.window.isVisible());
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
    QVERIFY(fixture.chat().lastAnswer()->verdict() == engine::Verdict::Partial);
}

void TestTurnEditing::aPrivateChatSaysSo()
{
    TurnFixture fixture;
    fixture.key(Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(fixture.chat().isPrivate());
    auto* list = fixture.window.findChild<QListView*>(QStringLiteral("conversations"));
    QVERIFY(list->currentIndex().data().toString().contains("private", Qt::CaseInsensitive));
}

QTEST_MAIN(TestTurnEditing)
#include "tst_turn_editing.moc"
