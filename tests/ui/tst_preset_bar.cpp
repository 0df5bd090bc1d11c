#include "app/settings/chat_settings_json.h"
#include "tests/ui/window_fixture.h"
#include "ui/settings/preset_bar.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

namespace {

/// The preset rows of the settings panel, used as a person does.
struct Fixture : tests::WindowFixture {
    QComboBox* combo = window.findChild<QComboBox*>("preset");
    QLabel* state = window.findChild<QLabel*>("presetState");
    QPushButton* undo = window.findChild<QPushButton*>("presetUndo");
    QLineEdit* name = window.findChild<QLineEdit*>("presetName");
    QPushButton* saveButton = window.findChild<QPushButton*>("presetSave");
    QCheckBox* forModel = window.findChild<QCheckBox*>("presetForModel");
    QToolButton* more = window.findChild<QToolButton*>("presetActions");
    QSpinBox* cap = window.findChild<QSpinBox*>("lengthCap");

    /// Opens the menu with the space bar and presses the letter of an action.
    void act(Qt::Key letter)
    {
        more->setFocus();
        QTimer::singleShot(50, more, [this, letter] {
            QWidget* menu = QApplication::activePopupWidget();
            QVERIFY(menu);
            QTest::keyClick(menu, letter);
            if (QApplication::activePopupWidget())
                QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        });
        QTest::keyClick(more, Qt::Key_Space);
        settle();
    }
    void setCap(int value)
    {
        cap->setFocus();
        cap->selectAll();
        QTest::keyClicks(cap, QString::number(value));
        QTest::keyClick(cap, Qt::Key_Return);
    }
    void saveAs(const QString& presetName)
    {
        act(Qt::Key_S);
        QVERIFY(name->isVisible());
        QVERIFY(name->hasFocus());
        name->selectAll();
        QTest::keyClicks(name, presetName);
        QTest::keyClick(name, Qt::Key_Return);
    }
    /// By the keyboard, from where the list stands.
    void choose(const QString& presetName)
    {
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && combo->currentText() != presetName; ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(combo->currentText(), presetName);
    }
    /// Else a new chat would be this one, in which nothing was said.
    void say()
    {
        send("Hi");
        engine.end(engine::StopReason::EndToken);
        settle();
    }
    int capOfChat() { return chat().settings().lengthCap; }
};

}

class TestPresetBar : public QObject {
    Q_OBJECT
private slots:
    void aPresetIsSavedChosenAndTellsThatItChanged();
    void choosingAPresetCanBeUndone();
    void resetBringsTheDefaultsBack();
    void aDeletedPresetComesBackWithUndo();
    void savingUnderATakenNameReplacesAndCanBeUndone();
    void escapeGivesUpTheNameAndStopsNothing();
    void aChangeIsOfThisChatOnly();
    void newChatsWithAModelStartWithItsSettings();
    void whatIsUsedForEveryNewChatIsKept();
    void thePresetOfAChatIsKnownAfterARestart();
    void allIsReachedByKeyboardAndHasAName();
};

void TestPresetBar::aPresetIsSavedChosenAndTellsThatItChanged()
{
    Fixture fixture;
    QCOMPARE(fixture.combo->currentText(), QString("Defaults"));
    QCOMPARE(fixture.state->text(), QString("Not changed"));
    fixture.setCap(64);
    QCOMPARE(fixture.state->text(), QString("Changed"));
    fixture.saveAs("Short");
    QVERIFY(!fixture.name->isVisible());
    QCOMPARE(fixture.combo->currentText(), QString("Short"));
    QCOMPARE(fixture.state->text(), QString("Not changed"));
    QCOMPARE(fixture.store.preset("Short")->lengthCap, 64);
    fixture.setCap(65);
    QCOMPARE(fixture.combo->currentText(), QString("Short"));
    QCOMPARE(fixture.state->text(), QString("Changed"));
    QCOMPARE(fixture.combo->accessibleDescription(), QString("Changed"));
    QCOMPARE(fixture.store.preset("Short")->lengthCap, 64); // only a save changes it
    fixture.choose("Defaults");
    QCOMPARE(fixture.cap->value(), 1024);
    fixture.choose("Short");
    QCOMPARE(fixture.capOfChat(), 64);
    QCOMPARE(fixture.cap->value(), 64);
    fixture.loadModel();
    fixture.send("Hi");
    QCOMPARE(fixture.engine.requests.back().lengthCap, 64);
}

void TestPresetBar::choosingAPresetCanBeUndone()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.saveAs("Short");
    fixture.setCap(65);
    QVERIFY(!fixture.undo->isVisible());
    fixture.choose("Defaults");
    QTest::keyClick(fixture.combo, Qt::Key_End); // "Short", over what is between
    QTest::keyClick(fixture.combo, Qt::Key_Home);
    QCOMPARE(fixture.capOfChat(), 1024);
    QVERIFY(fixture.undo->isVisible());
    fixture.undo->setFocus();
    QTest::keyClick(fixture.undo, Qt::Key_Space);
    QCOMPARE(fixture.capOfChat(), 65);
    QCOMPARE(fixture.combo->currentText(), QString("Short"));
    QCOMPARE(fixture.state->text(), QString("Changed"));
    QVERIFY(!fixture.undo->isVisible());
    // Another change is not taken back with it.
    fixture.choose("Defaults");
    fixture.setCap(9);
    QVERIFY(!fixture.undo->isVisible());
}

void TestPresetBar::resetBringsTheDefaultsBack()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.act(Qt::Key_R);
    QCOMPARE(fixture.capOfChat(), 1024);
    QCOMPARE(fixture.combo->currentText(), QString("Defaults"));
    QCOMPARE(fixture.state->text(), QString("Not changed"));
    QTest::mouseClick(fixture.undo, Qt::LeftButton);
    QCOMPARE(fixture.capOfChat(), 64);
}

void TestPresetBar::aDeletedPresetComesBackWithUndo()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.saveAs("Short");
    fixture.setCap(65);
    fixture.act(Qt::Key_D);
    QCOMPARE(fixture.store.presetNames(), QStringList());
    QCOMPARE(fixture.capOfChat(), 65); // the chat keeps its settings
    QCOMPARE(fixture.combo->currentText(), QString("Defaults"));
    QTest::mouseClick(fixture.undo, Qt::LeftButton);
    QCOMPARE(fixture.store.preset("Short")->lengthCap, 64);
    QCOMPARE(fixture.combo->currentText(), QString("Short"));
}

void TestPresetBar::savingUnderATakenNameReplacesAndCanBeUndone()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.saveAs("Short");
    fixture.setCap(65);
    fixture.act(Qt::Key_S);
    QCOMPARE(fixture.name->text(), QString("Short"));
    QCOMPARE(fixture.saveButton->text(), QString("Replace"));
    QTest::keyClicks(fixture.name, "   ");
    QVERIFY(!fixture.saveButton->isEnabled());
    fixture.name->selectAll();
    QTest::keyClicks(fixture.name, "Short");
    QTest::mouseClick(fixture.saveButton, Qt::LeftButton);
    QCOMPARE(fixture.store.preset("Short")->lengthCap, 65);
    QTest::mouseClick(fixture.undo, Qt::LeftButton);
    QCOMPARE(fixture.store.preset("Short")->lengthCap, 64);
    QCOMPARE(fixture.capOfChat(), 65);
}

void TestPresetBar::escapeGivesUpTheNameAndStopsNothing()
{
    Fixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("Hello");
    fixture.act(Qt::Key_S);
    QTest::keyClicks(fixture.name, "Short");
    QTest::keyClick(fixture.name, Qt::Key_Escape);
    fixture.settle();
    QVERIFY(!fixture.name->isVisible());
    QVERIFY(fixture.combo->hasFocus());
    QCOMPARE(fixture.store.presetNames(), QStringList());
    QVERIFY(fixture.chat().activeDraft());
}

void TestPresetBar::aChangeIsOfThisChatOnly()
{
    Fixture fixture;
    fixture.loadModel();
    app::Conversation& first = fixture.chat();
    fixture.setCap(64);
    fixture.say();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(&fixture.chat() != &first);
    QCOMPARE(fixture.cap->value(), 1024);
    fixture.window.showConversation(&first);
    QCOMPARE(fixture.cap->value(), 64);
    QCOMPARE(fixture.state->text(), QString("Changed"));
}

void TestPresetBar::newChatsWithAModelStartWithItsSettings()
{
    Fixture fixture;
    QVERIFY(!fixture.forModel->isEnabled());
    fixture.loadModel(); // tiny.gguf
    fixture.setCap(64);
    fixture.forModel->setFocus();
    QTest::keyClick(fixture.forModel, Qt::Key_Space);
    QCOMPARE(fixture.forModel->checkState(), Qt::Checked);
    QCOMPARE(fixture.store.modelSettings("tiny.gguf")->lengthCap, 64);
    fixture.setCap(65);
    QCOMPARE(fixture.forModel->checkState(), Qt::PartiallyChecked);
    QVERIFY(fixture.forModel->accessibleDescription().contains("tiny.gguf"));
    fixture.say();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(fixture.capOfChat(), 64);
    QCOMPARE(fixture.forModel->checkState(), Qt::Checked);
    fixture.window.openModel("/models/other.gguf");
    fixture.engine.finishLoad();
    fixture.settle();
    QCOMPARE(fixture.capOfChat(), 1024); // nothing was said in it yet
    QCOMPARE(fixture.forModel->checkState(), Qt::Unchecked);
    fixture.window.openModel("/models/tiny.gguf");
    fixture.engine.finishLoad();
    fixture.settle();
    QTest::keyClick(fixture.forModel, Qt::Key_Space);
    QVERIFY(!fixture.store.modelSettings("tiny.gguf"));
    QCOMPARE(fixture.capOfChat(), 64);
}

void TestPresetBar::whatIsUsedForEveryNewChatIsKept()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.act(Qt::Key_U);
    QCOMPARE(fixture.store.chatDefaults().lengthCap, 64);
    QCOMPARE(fixture.combo->currentText(), QString("Defaults"));
    QCOMPARE(fixture.state->text(), QString("Not changed"));
    fixture.choose("As built in");
    QCOMPARE(fixture.capOfChat(), 1024);
    QCOMPARE(fixture.state->text(), QString("Not changed"));
    fixture.window.close();
    QCOMPARE(app::SettingsFile(fixture.store.path()).chatDefaults().lengthCap, 64);
}

void TestPresetBar::thePresetOfAChatIsKnownAfterARestart()
{
    Fixture fixture;
    fixture.setCap(64);
    fixture.saveAs("Short");
    fixture.setCap(65);
    // As it is stored with the conversation.
    const std::string stored = app::chatSettingsToJson(fixture.chat().settings());
    fixture.choose("Defaults");
    fixture.chat().setSettings(app::chatSettingsFromJson(stored));
    QCOMPARE(fixture.combo->currentText(), QString("Short"));
    QCOMPARE(fixture.state->text(), QString("Changed"));
}

void TestPresetBar::allIsReachedByKeyboardAndHasAName()
{
    Fixture fixture;
    fixture.loadModel();
    fixture.setCap(64);
    fixture.act(Qt::Key_R);
    fixture.combo->setFocus();
    QList<QWidget*> wanted { fixture.combo, fixture.more, fixture.undo, fixture.forModel };
    for (QWidget* widget : wanted) {
        QVERIFY2(QApplication::focusWidget() == widget, qPrintable(widget->objectName()));
        QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(widget);
        QVERIFY2(!seen->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
        QTest::keyClick(widget, Qt::Key_Tab);
    }
}

QTEST_MAIN(TestPresetBar)
#include "tst_preset_bar.moc"
