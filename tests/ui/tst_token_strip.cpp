#include "tests/ui/told_answer.h"
#include "ui/inspect/token_strip.h"

#include <QAccessible>
#include <QLocale>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using ui::TokenStrip;

namespace {

/// A shown strip over an answer of so many tokens.
struct ShownStrip {
    tests::ToldAnswer told;
    app::TokenTrack track { told.answer };
    TokenStrip strip;

    explicit ShownStrip(int count)
    {
        for (int i = 0; i < count; ++i)
            told.token(i % 40 == 39 ? ".\n" : " tok" + std::to_string(i), 0.9, 1 + i % 3);
        track.update();
        strip.resize(400, 300);
        strip.setTrack(&track);
        strip.show();
        strip.activateWindow();
        strip.setFocus();
        QTest::qWait(20);
    }
    int first() const { return track.promptCount(); }
    int last() const { return int(track.tokens().size()) - 1; }
    void press(Qt::Key key) { QTest::keyClick(&strip, key); }
    QAccessibleInterface* accessible() { return QAccessible::queryAccessibleInterface(&strip); }
};

std::vector<std::pair<QAccessible::Event, QString>> s_heard;
void hear(QAccessibleEvent* event)
{
    QAccessibleInterface* source = event->accessibleInterface();
    s_heard.emplace_back(event->type(), source ? source->text(QAccessible::Name) : QString());
}

}

class TestTokenStrip : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QAccessible::setActive(true);
    }
    void theLastTokenIsCurrentAtFirst();
    void arrowKeysGoFromTokenToToken();
    void upAndDownGoFromLineToLine();
    void theCurrentTokenIsInView();
    void aClickChoosesAToken();
    void theMousePointsOutTokens();
    void thePromptIsShownWhenAskedFor();
    void newTokensAreFollowedAtTheEndOnly();
    void aTrackThatStartsAgainKeepsTheCurrentToken();
    void chipsAreReadOut();
    void arrowKeysTellTheFocus();
    void anUnknownValueLooksUnlikeAnyKnownOne();
    void withoutATrackNothingHappens();
};

void TestTokenStrip::theLastTokenIsCurrentAtFirst()
{
    ShownStrip shown(5);
    QCOMPARE(shown.strip.current(), shown.last());
    QCOMPARE(shown.strip.shownCount(), 5);
}

void TestTokenStrip::arrowKeysGoFromTokenToToken()
{
    ShownStrip shown(100);
    QSignalSpy changed(&shown.strip, &TokenStrip::currentChanged);
    shown.press(Qt::Key_Left);
    QCOMPARE(shown.strip.current(), shown.last() - 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.back().front().toInt(), shown.last() - 1);
    shown.press(Qt::Key_Home);
    QCOMPARE(shown.strip.current(), shown.first());
    shown.press(Qt::Key_Left);
    QCOMPARE(shown.strip.current(), shown.first());
    QCOMPARE(changed.size(), 2); // nothing happened, nothing told
    shown.press(Qt::Key_Right);
    QCOMPARE(shown.strip.current(), shown.first() + 1);
    shown.press(Qt::Key_End);
    shown.press(Qt::Key_Right);
    QCOMPARE(shown.strip.current(), shown.last());
}

void TestTokenStrip::upAndDownGoFromLineToLine()
{
    ShownStrip shown(100);
    shown.press(Qt::Key_Home);
    const QRect first = shown.strip.tokenRect(shown.first());
    shown.press(Qt::Key_Down);
    const QRect below = shown.strip.tokenRect(shown.strip.current());
    QVERIFY(below.top() > first.top());
    QCOMPARE(below.left(), first.left());
    shown.press(Qt::Key_Up);
    QCOMPARE(shown.strip.current(), shown.first());
}

void TestTokenStrip::theCurrentTokenIsInView()
{
    ShownStrip shown(2000);
    for (const Qt::Key key :
        { Qt::Key_Home, Qt::Key_End, Qt::Key_Up, Qt::Key_Home, Qt::Key_Down }) {
        shown.press(key);
        QVERIFY(
            shown.strip.viewport()->rect().contains(shown.strip.tokenRect(shown.strip.current())));
    }
}

void TestTokenStrip::aClickChoosesAToken()
{
    ShownStrip shown(100);
    shown.press(Qt::Key_Home);
    const int token = shown.first() + 4;
    QTest::mouseClick(
        shown.strip.viewport(), Qt::LeftButton, {}, shown.strip.tokenRect(token).center());
    QCOMPARE(shown.strip.current(), token);
    QTest::mouseClick(shown.strip.viewport(), Qt::LeftButton, {}, QPoint(1, 1)); // beside all
    QCOMPARE(shown.strip.current(), token);
}

void TestTokenStrip::theMousePointsOutTokens()
{
    ShownStrip shown(100);
    shown.press(Qt::Key_Home);
    QSignalSpy hovered(&shown.strip, &TokenStrip::hoveredChanged);
    const int token = shown.first() + 4;
    QTest::mouseMove(shown.strip.viewport(), shown.strip.tokenRect(token).center());
    QTRY_COMPARE(shown.strip.hovered(), token);
    QCOMPARE(hovered.back().front().toInt(), token);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(shown.strip.viewport(), &leave);
    QCOMPARE(shown.strip.hovered(), -1);
}

void TestTokenStrip::thePromptIsShownWhenAskedFor()
{
    ShownStrip shown(5);
    QVERIFY(shown.strip.tokenRect(0).isEmpty());
    shown.strip.setPromptShown(true);
    QCOMPARE(shown.strip.shownCount(), 8);
    QCOMPARE(shown.strip.current(), shown.last());
    QVERIFY(!shown.strip.tokenRect(0).isEmpty());
    QVERIFY(shown.strip.tokenRect(shown.first()).top() > shown.strip.tokenRect(0).top());
    shown.press(Qt::Key_Home);
    QCOMPARE(shown.strip.current(), 0);
    shown.strip.setPromptShown(false);
    QCOMPARE(shown.strip.current(), shown.first());
}

void TestTokenStrip::newTokensAreFollowedAtTheEndOnly()
{
    ShownStrip shown(500);
    QScrollBar& bar = *shown.strip.verticalScrollBar();
    const auto add = [&] {
        for (int i = 0; i < 100; ++i)
            shown.told.token(" more");
        shown.strip.takeTokens(shown.track.update());
    };
    const int current = shown.strip.current();
    add();
    QCOMPARE(bar.value(), bar.maximum());
    QCOMPARE(shown.strip.shownCount(), 600);
    QCOMPARE(shown.strip.current(), current); // what a person looks at stays
    bar.setValue(40);
    add();
    QCOMPARE(bar.value(), 40);
}

void TestTokenStrip::aTrackThatStartsAgainKeepsTheCurrentToken()
{
    ShownStrip shown(50);
    shown.press(Qt::Key_Left);
    const int current = shown.strip.current();
    shown.told.end();
    const bool restarts = shown.track.update();
    QVERIFY(restarts);
    shown.strip.takeTokens(restarts);
    QCOMPARE(shown.strip.current(), current);
    QCOMPARE(shown.strip.shownCount(), 50);
}

void TestTokenStrip::chipsAreReadOut()
{
    ShownStrip shown(50);
    QAccessibleInterface* list = shown.accessible();
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->text(QAccessible::Name), QString("Tokens"));
    QCOMPARE(list->childCount(), 50);
    QAccessibleInterface* third = list->child(2);
    QVERIFY(third);
    QCOMPARE(third->text(QAccessible::Name), QString("token 3, ‘ tok2’, probability 90 %, rank 3"));
    QCOMPARE(third->role(), QAccessible::ListItem);
    QCOMPARE(third->parent(), list);
    QCOMPARE(list->indexOfChild(third), 2);
    QCOMPARE(list->child(2), third);
    QVERIFY(!list->child(50));
    QCOMPARE(list->focusChild(), list->child(49));
    QVERIFY(list->child(49)->state().focused);
    QVERIFY(!third->state().focused);
    const QRect rect = list->child(49)->rect();
    QCOMPARE(list->childAt(rect.center().x(), rect.center().y()), list->child(49));
}

void TestTokenStrip::arrowKeysTellTheFocus()
{
    ShownStrip shown(50);
    const auto previous = QAccessible::installUpdateHandler(hear);
    s_heard.clear();
    shown.press(Qt::Key_Left);
    const std::pair expected { QAccessible::Focus,
        QString("token 49, ‘ tok48’, probability 90 %, rank 1") };
    // Without assistive software the platform delivers no events.
    if (QAccessible::isActive())
        QVERIFY(std::find(s_heard.begin(), s_heard.end(), expected) != s_heard.end());
    QAccessible::installUpdateHandler(previous);
    QCOMPARE(shown.accessible()->focusChild()->text(QAccessible::Name), expected.second);
}

void TestTokenStrip::anUnknownValueLooksUnlikeAnyKnownOne()
{
    ShownStrip shown(1);
    shown.told.token(engine::TokenRecord { .id = 'x', .bytes = " tok" });
    shown.strip.takeTokens(shown.track.update());
    const QImage image = shown.strip.viewport()->grab().toImage();
    const auto background = [&](int token) {
        return image.pixelColor(shown.strip.tokenRect(token).topLeft() + QPoint(2, 2));
    };
    const ui::TokenColours& colours = shown.strip.colours();
    QCOMPARE(background(shown.first()).name(), colours.colour(0.9).name());
    for (int i = 0; i <= 64; ++i)
        QVERIFY(background(shown.first() + 1).name() != colours.colour(i / 64.0).name());
}

void TestTokenStrip::withoutATrackNothingHappens()
{
    TokenStrip strip;
    strip.resize(300, 200);
    strip.show();
    QTest::keyClick(&strip, Qt::Key_Left);
    QTest::keyClick(&strip, Qt::Key_Down);
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, QPoint(20, 20));
    strip.takeTokens(true);
    QCOMPARE(strip.current(), -1);
}

QTEST_MAIN(TestTokenStrip)
#include "tst_token_strip.moc"
