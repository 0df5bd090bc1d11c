#include "tests/ui/window_fixture.h"
#include "ui/chat/person_message.h"
#include "ui/chat/view_start_line.h"

#include <QComboBox>

using engine::StopReason;

namespace {

struct Room : tests::WindowFixture {
    explicit Room(int contextLength)
    {
        engine.description.contextLength = contextLength;
        loadModel();
    }
    void converse(const QString& question, const std::string& answer)
    {
        send(question);
        engine.token(answer);
        engine.end(StopReason::EndToken);
        settle();
    }
    /// As a person chooses it: with the keyboard in the settings panel.
    void leaveOutOldest()
    {
        auto* box = window.findChild<QComboBox*>(QStringLiteral("contextPolicy"));
        QVERIFY(box && !box->toolTip().isEmpty());
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        settle();
    }
    ui::ViewStartLine* line()
    {
        auto* found = view().findChild<ui::ViewStartLine*>(QStringLiteral("viewStart"));
        return found && found->isVisible() ? found : nullptr;
    }
    std::vector<ui::MessageView*> items()
    {
        std::vector<ui::MessageView*> found;
        for (auto* item : view().widget()->findChildren<ui::MessageView*>())
            if (qobject_cast<ui::AnswerView*>(item) || qobject_cast<ui::PersonMessage*>(item))
                found.push_back(item);
        std::sort(found.begin(), found.end(),
            [](const auto* a, const auto* b) { return a->y() < b->y(); });
        return found;
    }
    void fill()
    {
        converse("first", "one");
        converse("second", "two");
        converse("third", "three");
        converse("fourth", "four");
    }
};

}

class TestViewStart : public QObject {
    Q_OBJECT
private slots:
    void nothingIsGreyedWhileAllIsSeen();
    void theLineStandsBelowWhatWasLeftOut();
    void whatWasLeftOutIsGreyedAndSaysSo();
    void greyTextCanStillBeRead_data();
    void greyTextCanStillBeRead();
    void theCardOffersToLeaveOutTheOldest();
};

void TestViewStart::nothingIsGreyedWhileAllIsSeen()
{
    Room room(8192);
    room.leaveOutOldest();
    room.fill();
    QVERIFY(!room.line());
    for (const ui::MessageView* item : room.items())
        QVERIFY(!item->isUnseen());
}

void TestViewStart::theLineStandsBelowWhatWasLeftOut()
{
    Room room(144);
    room.leaveOutOldest();
    room.fill();
    QVERIFY(room.line());
    QCOMPARE(room.line()->words(),
        QString("The model's view begins here: 2 messages above were left out"));
    const auto items = room.items();
    QCOMPARE(items.size(), size_t(8));
    QVERIFY(room.line()->y() >= items[1]->geometry().bottom());
    QVERIFY(room.line()->geometry().bottom() < items[2]->y());
    // The layout of a narrower window keeps the order.
    room.window.resize(room.window.minimumSizeHint().width(), room.window.height());
    room.settle();
    QVERIFY(room.line()->y() >= items[1]->geometry().bottom());
    QVERIFY(room.line()->geometry().bottom() < items[2]->y());
    QCOMPARE(room.line()->width(), items[2]->width());
}

void TestViewStart::whatWasLeftOutIsGreyedAndSaysSo()
{
    Room room(144);
    room.leaveOutOldest();
    room.fill();
    const auto items = room.items();
    const ui::Theme theme = ui::Theme::of(room.view().palette());
    for (size_t i = 0; i < items.size(); ++i) {
        QCOMPARE(items[i]->isUnseen(), i < 2);
        auto* surface = items[i]->findChild<ui::TextSurface*>();
        QCOMPARE(surface->palette().color(QPalette::Text), i < 2 ? theme.mutedText : theme.text);
        QCOMPARE(surface->accessibleDescription().contains("did not see"), i < 2);
    }
    auto* words = room.line()->findChild<QLabel*>();
    QCOMPARE(words->accessibleName(), room.line()->words());
    // Another answer to the first message sees everything again.
    room.chat().showTurn(*room.chat().turns()[0]);
    QVERIFY(room.workspace.regenerate(room.chat(), room.chat().turns()[1]));
    room.settle();
    QVERIFY(!room.line());
    QVERIFY(!room.items().front()->isUnseen());
}

void TestViewStart::greyTextCanStillBeRead_data()
{
    QTest::addColumn<int>("appearance");
    QTest::newRow("light") << int(ui::Appearance::Light);
    QTest::newRow("dark") << int(ui::Appearance::Dark);
}

void TestViewStart::greyTextCanStillBeRead()
{
    QFETCH(int, appearance);
    const QPalette before = QApplication::palette();
    Room room(144);
    room.leaveOutOldest();
    room.fill();
    // A change of theme while the chat is shown.
    QApplication::setPalette(ui::paletteFor(ui::Appearance(appearance), before));
    room.settle();
    const QPalette shown = room.items().front()->palette();
    const ui::Theme theme = ui::Theme::of(room.view().palette());
    QCOMPARE(shown.color(QPalette::Text), theme.mutedText);
    QVERIFY(ui::contrastRatio(shown.color(QPalette::Text), theme.page) >= 4.5);
    QVERIFY(ui::contrastRatio(shown.color(QPalette::Text), theme.softBlock) >= 4.5);
    QApplication::setPalette(before);
}

void TestViewStart::theCardOffersToLeaveOutTheOldest()
{
    Room room(80);
    room.converse("first", "one");
    room.converse("second", "two");
    room.send("third");
    QVERIFY(room.problemCard());
    QCOMPARE(room.edit()->toPlainText(), QString("third"));
    QPushButton* help = nullptr;
    for (auto* button : room.problemCard()->findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == "Leave out the oldest messages")
            help = button;
    QVERIFY(help);
    help->setFocus();
    QTest::keyClick(help, Qt::Key_Space);
    QVERIFY(!room.problemCard());
    QCOMPARE(room.chat().settings().contextPolicy, app::ContextPolicy::DropOldestTurns);
    room.edit()->setFocus();
    QTest::keyClick(room.edit(), Qt::Key_Return);
    room.settle();
    QCOMPARE(room.chat().turnCount(), size_t(6));
    QVERIFY(room.line());
}

QTEST_MAIN(TestViewStart)
#include "tst_view_start.moc"
