#include "tests/ui/window_fixture.h"
#include "ui/chat/plain_text_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QSpinBox>
#include <QToolButton>

using engine::StopReason;

/// Typing, sending, stopping, and what goes wrong.
class TestChatPage : public QObject {
    Q_OBJECT
private slots:
    void enterSendsAndShiftEnterStartsALine();
    void theButtonSendsAndStops();
    void escapeStops();
    void whileAnAnswerIsWrittenEnterKeepsTheText();
    void typedTextIsKeptWhenThereIsNoModel();
    void typedTextIsKeptWhenTheContextIsTooSmall();
    void typedTextIsKeptWhenTheTemplateRefuses();
    void typedTextBelongsToItsConversation();
    void aBadFileIsACardInTheChat();
    void aLostDeviceIsACardWithTheAnswer();
    void aModelWithoutTemplateOffersToChooseAFormat();
    void tokensAreCountedWhileTyping();
    void aDroppedFileIsOpened();
    void regenerateMakesASiblingThatKeysReach();
    void shortcutsReachWhatTheySay();
    void plainTextIsWrittenOnByKey();
    void emptyMessagesAreNotSent();
    void theSettingsPanelAndTheConversationAgree();
    void theSwitchesOfStopsReachTheRun();
};

void TestChatPage::enterSendsAndShiftEnterStartsALine()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.type("one");
    QTest::keyClick(fixture.edit(), Qt::Key_Return, Qt::ShiftModifier);
    fixture.type("two");
    QVERIFY(fixture.engine.requests.empty());
    QTest::keyClick(fixture.edit(), Qt::Key_Return);
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
    QCOMPARE(fixture.chat().turns()[0]->text, QString("one\ntwo"));
    QVERIFY(fixture.window.chatPage().input().text().isEmpty());
}

void TestChatPage::theButtonSendsAndStops()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.type("Hi");
    QCOMPARE(fixture.button()->text(), QString("Send"));
    QTest::mouseClick(fixture.button(), Qt::LeftButton);
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
    QCOMPARE(fixture.button()->text(), QString("Stop"));
    QTest::mouseClick(fixture.button(), Qt::LeftButton);
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
    QCOMPARE(fixture.button()->text(), QString("Stop")); // until the engine says it has ended
    fixture.engine.end(StopReason::Cancelled);
    fixture.settle();
    QCOMPARE(fixture.button()->text(), QString("Send"));
}

void TestChatPage::escapeStops()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    QTest::keyClick(fixture.edit(), Qt::Key_Escape);
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
}

void TestChatPage::whileAnAnswerIsWrittenEnterKeepsTheText()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.send("The next one");
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
    QCOMPARE(fixture.window.chatPage().input().text(), QString("The next one"));
}

void TestChatPage::typedTextIsKeptWhenThereIsNoModel()
{
    tests::WindowFixture fixture;
    fixture.send("A long thought");
    QCOMPARE(fixture.window.chatPage().input().text(), QString("A long thought"));
    QVERIFY(fixture.problemText().contains("Choose a model"));
}

void TestChatPage::typedTextIsKeptWhenTheContextIsTooSmall()
{
    tests::WindowFixture fixture;
    fixture.engine.description.contextLength = 32;
    fixture.loadModel();
    fixture.send("This sentence has more bytes than that");
    QCOMPARE(fixture.window.chatPage().input().text(),
        QString("This sentence has more bytes than that"));
    QVERIFY(fixture.problemText().contains("32"));
    QVERIFY(fixture.problemText().contains("57"));
}

void TestChatPage::typedTextIsKeptWhenTheTemplateRefuses()
{
    tests::WindowFixture fixture;
    fixture.engine.offer.ownSource = "{{ raise_exception('Only tea') }}";
    fixture.loadModel();
    fixture.send("Coffee?");
    QCOMPARE(fixture.window.chatPage().input().text(), QString("Coffee?"));
    QVERIFY(fixture.problemText().contains("Only tea"));
    fixture.engine.offer = tests::FakeEngine::chatMl();
    fixture.loadModel();
    QTest::keyClick(fixture.edit(), Qt::Key_Return);
    fixture.settle();
    QVERIFY(!fixture.problemCard());
    QCOMPARE(fixture.chat().turnCount(), size_t(2));
}

void TestChatPage::typedTextBelongsToItsConversation()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    app::Conversation* first = &fixture.chat();
    fixture.type("unfinished");
    QTest::keyClick(fixture.edit(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(&fixture.chat() != first);
    QVERIFY(fixture.window.chatPage().input().text().isEmpty());
    fixture.window.showConversation(first);
    QCOMPARE(fixture.window.chatPage().input().text(), QString("unfinished"));
}

void TestChatPage::aBadFileIsACardInTheChat()
{
    tests::WindowFixture fixture;
    fixture.window.openModel("/models/bad.gguf");
    fixture.engine.failLoad(engine::Error::badFile(
        "bad.gguf: tensor blk.0.attn_q.weight ends after the file (at byte 1000)"));
    fixture.settle();
    QVERIFY(fixture.problemCard());
    QVERIFY(fixture.problemText().contains("ends after the file"));
}

void TestChatPage::aLostDeviceIsACardWithTheAnswer()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("Hel");
    fixture.engine.end(StopReason::Failed, [](engine::RunEnded& end) {
        end.ledger.error = engine::Error::deviceLost("The driver reset the device.");
    });
    fixture.settle();
    auto* message = fixture.lastAnswer()->findChild<QLabel*>("errorMessage");
    QVERIFY(message->isVisible());
    QCOMPARE(message->text(), QString("The driver reset the device."));
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("Hel")); // what was written stays
    QVERIFY(fixture.lastAnswer()->height()
        >= fixture.lastAnswer()->heightFor(fixture.lastAnswer()->width()));
}

void TestChatPage::aModelWithoutTemplateOffersToChooseAFormat()
{
    tests::WindowFixture fixture;
    fixture.engine.offer = { std::nullopt, "The file has no chat template.", {} };
    fixture.loadModel();
    QVERIFY(fixture.problemText().contains("no chat template")); // before the first message
    bool offered = false;
    for (const QPushButton* button : fixture.problemCard()->findChildren<QPushButton*>())
        offered = offered || (button->isVisible() && button->text().contains("chat format"));
    QVERIFY(offered);
}

void TestChatPage::tokensAreCountedWhileTyping()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.type("abcd");
    const auto shown = [&] {
        for (const QLabel* label : fixture.window.chatPage().input().findChildren<QLabel*>())
            if (label->text().startsWith("4 tokens"))
                return true;
        return false;
    };
    QTRY_VERIFY(shown());
}

void TestChatPage::aDroppedFileIsOpened()
{
    tests::WindowFixture fixture;
    QMimeData mime;
    mime.setUrls({ QUrl::fromLocalFile("/models/dropped.gguf") });
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&fixture.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&fixture.window, &drop);
    QCOMPARE(fixture.engine.loads.size(), size_t(1));
    QCOMPARE(fixture.engine.loads[0].path, std::string("/models/dropped.gguf"));
}

void TestChatPage::regenerateMakesASiblingThatKeysReach()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("one");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QTest::keyClick(fixture.edit(), Qt::Key_R, Qt::ControlModifier);
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
    fixture.engine.token("two");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("two"));
    QTest::keyClick(&fixture.window, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("one"));
    QTest::keyClick(&fixture.window, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("two"));
}

void TestChatPage::shortcutsReachWhatTheySay()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("answer");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QTest::keyClick(&fixture.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        QString::fromUtf8("answer\n\n[Tokenglass: complete – the model ended it; not checked]"));
    QTest::keyClick(&fixture.window, Qt::Key_F6);
    QVERIFY(!fixture.edit()->hasFocus());
    QTest::keyClick(&fixture.window, Qt::Key_L, Qt::ControlModifier);
    QVERIFY(fixture.edit()->hasFocus());
    const int before = fixture.edit()->font().pointSize();
    QTest::keyClick(&fixture.window, Qt::Key_Equal, Qt::ControlModifier);
    QVERIFY(fixture.edit()->font().pointSize() > before);
    QTest::keyClick(&fixture.window, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(fixture.edit()->font().pointSize(), before);
}

void TestChatPage::plainTextIsWrittenOnByKey()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QPlainTextEdit& edit = fixture.window.plainTextPage().edit();
    QTest::keyClicks(&edit, "The exhibition");
    QTest::keyClick(&edit, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
    QVERIFY(edit.isReadOnly());
    fixture.engine.token(" opens");
    fixture.settle();
    QCOMPARE(edit.toPlainText(), QString("The exhibition opens"));
    fixture.engine.token(" on");
    fixture.engine.end(StopReason::LengthCap);
    fixture.settle();
    QCOMPARE(edit.toPlainText(), QString("The exhibition opens on"));
    QVERIFY(!edit.isReadOnly());
    QCOMPARE(edit.textCursor().position(), 23);
    auto* state = fixture.window.plainTextPage().findChild<QLabel*>("draftState");
    QCOMPARE(state->text(), QString("Capped"));
}

void TestChatPage::emptyMessagesAreNotSent()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("   ");
    QVERIFY(fixture.engine.requests.empty());
}

void TestChatPage::theSettingsPanelAndTheConversationAgree()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    auto* cap = fixture.window.findChild<QSpinBox*>("lengthCap");
    QVERIFY(cap->isVisible());
    QCOMPARE(cap->value(), 1024);
    cap->setValue(7);
    QCOMPARE(fixture.chat().settings().lengthCap, 7);
    app::ChatSettings settings = fixture.chat().settings();
    settings.lengthCap = 9;
    settings.stopStrings = { "5, 6", "a|b", "\n" };
    fixture.chat().setSettings(settings);
    QCOMPARE(cap->value(), 9);
    auto* stops = fixture.window.findChild<QLineEdit*>("stopStrings");
    QCOMPARE(stops->text(), QString("5, 6|a\\|b|\\n"));
    QTest::keyClick(stops, Qt::Key_Return);
    QCOMPARE(fixture.chat().settings().stopStrings, settings.stopStrings);
    fixture.send("Hi");
    QCOMPARE(fixture.engine.requests.back().lengthCap, 9);
}

void TestChatPage::theSwitchesOfStopsReachTheRun()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    QVERIFY(!fixture.engine.requests.back().ignoreEndTokens);
    QVERIFY(!fixture.engine.requests.back().timeCapMs);
    QVERIFY(!fixture.engine.requests.back().repetitionGuard);
    fixture.engine.end(engine::StopReason::EndToken);
    fixture.settle();
    for (const char* name : { "ignoreEndTokens", "repetitionGuard" }) {
        auto* field = fixture.window.findChild<QCheckBox*>(name);
        QVERIFY(!field->toolTip().isEmpty());
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Space);
        QVERIFY(field->isChecked());
    }
    auto* timeCap = fixture.window.findChild<QDoubleSpinBox*>("timeCap");
    QCOMPARE(timeCap->text(), QString("Off"));
    timeCap->setFocus();
    timeCap->selectAll();
    QTest::keyClicks(timeCap, "2.5");
    QTest::keyClick(timeCap, Qt::Key_Return);
    fixture.send("Again");
    const engine::GenerationRequest& request = fixture.engine.requests.back();
    QVERIFY(request.ignoreEndTokens);
    QCOMPARE(request.timeCapMs, std::optional(2500));
    QCOMPARE(request.repetitionGuard, std::optional(app::kRepetitionLimits));
    app::ChatSettings settings = fixture.chat().settings();
    settings.timeCapMs.reset();
    settings.ignoreEndTokens = false;
    fixture.chat().setSettings(settings);
    QCOMPARE(timeCap->text(), QString("Off"));
    QVERIFY(!fixture.window.findChild<QCheckBox*>("ignoreEndTokens")->isChecked());
}

QTEST_MAIN(TestChatPage)
#include "tst_chat_page.moc"
