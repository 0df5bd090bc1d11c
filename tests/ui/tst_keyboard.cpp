#include "tests/ui/window_fixture.h"
#include "ui/chat/plain_text_page.h"

#include <QAccessible>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSet>

using engine::StopReason;

namespace {

/// An event as assistive software gets it, with the words it would read out then.
struct Heard {
    QAccessible::Event type;
    QString object;
    QString name;
};
std::vector<Heard> s_heard;

void hear(QAccessibleEvent* event)
{
    QAccessibleInterface* source = event->accessibleInterface();
    s_heard.push_back({ event->type(), event->object() ? event->object()->objectName() : QString(),
        source ? source->text(QAccessible::Name) : QString() });
}

/// Without assistive software the platform delivers no events, and Qt has no public way to say that
/// there is some: then only what a question would be answered is checked.
bool wasTold(QAccessible::Event type, const QString& words)
{
    return !QAccessible::isActive()
        || std::any_of(s_heard.begin(), s_heard.end(),
            [&](const Heard& heard) { return heard.type == type && heard.name.contains(words); });
}

QString nameOf(QWidget* widget)
{
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    return accessible ? accessible->text(QAccessible::Name) : QString();
}

QString described(QWidget* widget)
{
    return QString("%1 “%2” in %3")
        .arg(widget->metaObject()->className(), widget->objectName(),
            widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : "nothing");
}

/// What the tab key stops at until it is where it began, forwards or backwards.
std::vector<QWidget*> walk(QWidget& window, Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    std::vector<QWidget*> stops { window.focusWidget() };
    for (int i = 0; i < 400; ++i) {
        QTest::keyClick(window.focusWidget(), key, modifiers);
        if (window.focusWidget() == stops.front())
            break;
        stops.push_back(window.focusWidget());
    }
    return stops;
}

void collect(const QMenu& menu, std::vector<QAction*>& actions)
{
    for (QAction* action : menu.actions()) {
        if (action->menu())
            collect(*action->menu(), actions);
        else if (!action->isSeparator())
            actions.push_back(action);
    }
}

QChar mnemonicOf(const QString& text)
{
    const qsizetype at = text.indexOf('&');
    return at >= 0 && at + 1 < text.size() ? text[at + 1].toLower() : QChar();
}

}

/// All of it by keyboard alone, and told to those who do not see it.
class TestKeyboard : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }
    void tabReachesEverythingAndEverythingHasAName_data();
    void tabReachesEverythingAndEverythingHasAName();
    void aPageKeepsItsTabsAndIsLeftByF6();
    void everyActionIsInAMenuUnderItsOwnKey();
    void whatIsDoneWithAnAnswerIsDoneByKeys();
    void everyChangeOfStateIsTold();
};

void TestKeyboard::tabReachesEverythingAndEverythingHasAName_data()
{
    QTest::addColumn<QString>("with");
    QTest::newRow("an empty chat") << "nothing";
    QTest::newRow("source texts") << "sources";
    QTest::newRow("a capped answer and its ledger") << "ledger";
    QTest::newRow("a capped answer and its tokens") << "inspector";
}

void TestKeyboard::tabReachesEverythingAndEverythingHasAName()
{
    QFETCH(QString, with);
    tests::WindowFixture fixture;
    fixture.loadModel();
    if (with == "sources")
        QVERIFY(fixture.workspace.addSources(fixture.chat(),
            { app::sourceTextOf("a.txt", "one"), app::sourceTextOf("b.txt", "two") }));
    if (with == "ledger") {
        fixture.send("Hi");
        fixture.engine.token("Hello");
        fixture.engine.end(StopReason::LengthCap);
        fixture.settle();
        QTest::keyClick(fixture.chip(), Qt::Key_Space);
        fixture.settle();
        QVERIFY(fixture.lastAnswer()->isLedgerShown());
    }
    if (with == "inspector") {
        fixture.send("Hi");
        fixture.engine.token("Hello");
        fixture.engine.end(StopReason::LengthCap);
        fixture.settle();
        QTest::keyClick(&fixture.window, Qt::Key_I, Qt::ControlModifier);
        fixture.settle();
    }
    // From the list of conversations, which is there in any case.
    fixture.window.findChild<QWidget*>("conversations")->setFocus();
    const std::vector<QWidget*> stops = walk(fixture.window, Qt::Key_Tab, Qt::NoModifier);
    for (QWidget* stop : stops)
        QVERIFY2(!nameOf(stop).isEmpty(), qPrintable(described(stop) + " has no name"));
    QSet<QWidget*> reached(stops.begin(), stops.end());
    for (QWidget* widget : fixture.window.findChildren<QWidget*>()) {
        const bool isFocusable = widget->isVisible() && widget->isEnabled()
            && (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy();
        if (isFocusable && !reached.contains(widget))
            QVERIFY2(false, qPrintable(described(widget) + " is not reached"));
    }
    std::vector<QWidget*> back = walk(fixture.window, Qt::Key_Backtab, Qt::ShiftModifier);
    std::reverse(back.begin() + 1, back.end());
    QCOMPARE(back.size(), stops.size());
    for (size_t i = 0; i < stops.size(); ++i)
        QVERIFY2(back[i] == stops[i],
            qPrintable(described(stops[i]) + " on the way there, back " + described(back[i])));
}

void TestKeyboard::aPageKeepsItsTabsAndIsLeftByF6()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    fixture.settle();
    QPlainTextEdit& page = fixture.window.plainTextPage().edit();
    QCOMPARE(fixture.window.focusWidget(), &page);
    QVERIFY(!nameOf(&page).isEmpty());
    QTest::keyClick(&page, Qt::Key_Tab);
    QCOMPARE(page.toPlainText(), QString("\t"));
    QSet<QWidget*> panes;
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F6);
        panes.insert(fixture.window.focusWidget());
    }
    QCOMPARE(panes.size(), 3);
    QVERIFY(panes.contains(&page)); // and back
}

void TestKeyboard::everyActionIsInAMenuUnderItsOwnKey()
{
    tests::WindowFixture fixture;
    QSet<QKeySequence> keys;
    QSet<QChar> menuLetters;
    QStringList texts;
    for (QAction* menu : fixture.window.menuBar()->actions()) {
        QVERIFY(!mnemonicOf(menu->text()).isNull());
        QVERIFY2(!menuLetters.contains(mnemonicOf(menu->text())), qPrintable(menu->text()));
        menuLetters.insert(mnemonicOf(menu->text()));
        QSet<QChar> letters;
        for (QAction* action : menu->menu()->actions()) {
            const QChar letter = mnemonicOf(action->text());
            QVERIFY2(letter.isNull() || !letters.contains(letter), qPrintable(action->text()));
            letters.insert(letter);
        }
        std::vector<QAction*> actions;
        collect(*menu->menu(), actions);
        for (QAction* action : actions) {
            texts.append(action->text().remove('&'));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key),
                    qPrintable(action->text() + ": " + key.toString() + " is taken"));
                keys.insert(key);
            }
        }
    }
    QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
    for (const char* key : { "Ctrl+N", "Ctrl+Alt+N", "Ctrl+Shift+N", "Ctrl+O", "Ctrl+Alt+Z",
             "Ctrl+Return", "Esc", "Ctrl+R", "Ctrl+E", "Ctrl+Shift+E", "Alt+Left", "Alt+Right",
             "Ctrl+Shift+C", "Ctrl+I", "Ctrl+L", "Ctrl+,", "F6", "F1" })
        QVERIFY2(keys.contains(QKeySequence(QString(key))), key);
}

void TestKeyboard::whatIsDoneWithAnAnswerIsDoneByKeys()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(fixture.window.focusWidget(), key, modifiers);
        fixture.settle();
    };
    fixture.send("Hi");
    fixture.engine.token("Hello", 'A');
    fixture.engine.end(StopReason::LengthCap);
    fixture.settle();
    press(Qt::Key_Return, Qt::ControlModifier); // Continue, from the ids
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
    QCOMPARE(fixture.engine.requests.back().draftTokenCount, 1);
    press(Qt::Key_Escape); // stop
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
    fixture.engine.end(StopReason::Cancelled);
    fixture.settle();
    press(Qt::Key_R, Qt::ControlModifier); // another answer
    QCOMPARE(fixture.engine.requests.size(), size_t(3));
    fixture.engine.token("Good day");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QCOMPARE(fixture.chat().turns().back()->said(), QString("Good day"));
    press(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(fixture.chat().turns().back()->said(), QString("Hello"));
    press(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(fixture.chat().turns().back()->said(), QString("Good day"));
    press(Qt::Key_E, Qt::ControlModifier); // the message, as a branch
    QVERIFY(fixture.window.focusWidget() != fixture.edit());
    press(Qt::Key_Escape);
    QCOMPARE(fixture.chat().turnCount(), size_t(2));
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1)); // it closed the editor, no more
    press(Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(fixture.window.focusWidget(), fixture.edit());
}

void TestKeyboard::everyChangeOfStateIsTold()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    const auto previous = QAccessible::installUpdateHandler(hear);
    s_heard.clear();
    fixture.send("Hi");
    fixture.engine.prefill(1, 2);
    fixture.settle();
    QCOMPARE(nameOf(fixture.stateLabel()), QString("Partial · reading the prompt"));
    QVERIFY(wasTold(QAccessible::NameChanged, "Partial · reading the prompt"));
    fixture.engine.token("Hello");
    fixture.settle();
    QCOMPARE(nameOf(fixture.stateLabel()), QString("Partial · writing"));
    QVERIFY(wasTold(QAccessible::NameChanged, "Partial · writing"));
    QVERIFY(wasTold(QAccessible::StateChanged, "Answer.")); // busy
    QAccessibleInterface* text
        = QAccessible::queryAccessibleInterface(&fixture.lastAnswer()->surface());
    QVERIFY(text->state().busy);
    QCOMPARE(text->text(QAccessible::Value), QString("Hello"));
    s_heard.clear();
    fixture.engine.end(StopReason::LengthCap);
    fixture.settle();
    QVERIFY(text->text(QAccessible::Name).contains("Capped"));
    QVERIFY(nameOf(fixture.chip()).contains("length cap"));
    QVERIFY(wasTold(QAccessible::NameChanged, "Capped"));
    QVERIFY(wasTold(QAccessible::StateChanged, "length cap"));
    QVERIFY(!text->state().busy);
    QAccessible::installUpdateHandler(previous);
}

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
