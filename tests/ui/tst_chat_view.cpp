#include "tests/ui/window_fixture.h"
#include "ui/chat/link_opener.h"
#include "ui/chat/person_message.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTcpServer>
#include <QToolButton>
#include <QWheelEvent>

using engine::StopReason;

/// What the messages look like while they grow, and what comes out of them (cases G-40 to G-42).
class TestChatView : public QObject {
    Q_OBJECT
private slots:
    void g40_scrolledUpTheViewStaysWhereItIs();
    void g40_atTheEndItFollows();
    void g40_aSelectionStaysWhileTextIsWritten();
    void g41_markupIsShownAndNothingIsFetched();
    void g42_copyGivesTheSourceByteForByte();
    void onlyWebAndMailLinksMayOpen_data();
    void onlyWebAndMailLinksMayOpen();
    void earlierTurnsAreBuiltWhileTheViewStays();
    void manyMessagesKeepTheirOrderAndHeights();
    void theAnswerIsReadableByAssistiveSoftware();
};

void TestChatView::g40_scrolledUpTheViewStaysWhereItIs()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Tell me a long story");
    for (int i = 0; i < 120; ++i)
        fixture.engine.token("A line of the story that goes on.\n\n");
    fixture.settle();
    QScrollBar* bar = fixture.view().verticalScrollBar();
    QCOMPARE(bar->value(), bar->maximum());

    QWheelEvent up(QPointF(50, 50), fixture.view().viewport()->mapToGlobal(QPointF(50, 50)), {},
        { 0, 120 }, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(fixture.view().viewport(), &up);
    const int stayed = bar->value();
    QVERIFY(stayed < bar->maximum());
    for (int i = 0; i < 200; ++i) {
        fixture.engine.token("More text, ");
        if (i % 10 == 0)
            fixture.engine.token("\n\n```\ncode\n```\n\n");
        fixture.settle(4);
        QVERIFY(std::abs(bar->value() - stayed) <= 1);
    }
    QVERIFY(bar->maximum() > stayed + 200); // it did grow
    bar->setValue(bar->maximum());
    fixture.engine.token("\n\nAnd the end.\n\nReally.");
    fixture.settle();
    QCOMPARE(bar->value(), bar->maximum());
}

void TestChatView::g40_atTheEndItFollows()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Tell me");
    QScrollBar* bar = fixture.view().verticalScrollBar();
    for (int i = 0; i < 60; ++i) {
        fixture.engine.token("Line\n\n");
        fixture.settle(20);
        QCOMPARE(bar->value(), bar->maximum());
    }
    QVERIFY(bar->maximum() > 0);
}

void TestChatView::g40_aSelectionStaysWhileTextIsWritten()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Tell me");
    fixture.engine.token("First paragraph.\n\nSecond paragraph.");
    fixture.settle();
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    QTest::mouseDClick(&surface, Qt::LeftButton, {}, QPoint(5, surface.fontMetrics().height() / 2));
    QTest::mouseRelease(
        &surface, Qt::LeftButton, {}, QPoint(5, surface.fontMetrics().height() / 2));
    QCOMPARE(surface.selectedText(), QString("First"));
    for (int i = 0; i < 20; ++i) {
        fixture.engine.token(" more\n\n");
        fixture.settle(18);
    }
    QCOMPARE(surface.selectedText(), QString("First"));
}

void TestChatView::g41_markupIsShownAndNothingIsFetched()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    int connections = 0;
    connect(&server, &QTcpServer::newConnection, this, [&] { ++connections; });
    const QString message = QString("Keep <exact lines> visible. <b>x</b> &amp; <img "
                                    "src=\"http://127.0.0.1:%1/x.png\"> <script>1</script>"
                                    " ![i](http://127.0.0.1:%1/y.png)")
                                .arg(server.serverPort());
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send(message);
    fixture.engine.token(message.toStdString());
    fixture.engine.end(StopReason::EndToken);
    fixture.settle(300);
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), message);
    auto* mine = fixture.view().findChild<ui::PersonMessage*>();
    QCOMPARE(mine->surface().plainText(), message);
    QCOMPARE(connections, 0);
    // The title, header and list show it as plain text too.
    for (const QLabel* label : fixture.window.findChildren<QLabel*>())
        QVERIFY2(label->textFormat() == Qt::PlainText || label->text().isEmpty(),
            qPrintable(label->text()));
}

void TestChatView::g42_copyGivesTheSourceByteForByte()
{
    const QString source
        = QString::fromUtf8("| a | b |\n|---|---|\n| 1 | 2 |\n\n- item\n  - inner\n\n```py\n    "
                            "four = 4\n\ttab\n```\n\nEnd\u00a0here. 😀\n");
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    for (const QChar c : source) // characters outside the BMP arrive whole from the engine
        if (!c.isSurrogate())
            fixture.engine.token(QString(c).toStdString());
        else if (c.isHighSurrogate())
            fixture.engine.token("😀");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QToolButton* copy = nullptr;
    for (QToolButton* button : fixture.lastAnswer()->footer().findChildren<QToolButton*>())
        if (button->accessibleName() == "Copy answer")
            copy = button;
    QVERIFY(copy);
    // The message as it is, and one line more that the menu switches off.
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        source + QString::fromUtf8("\n\n[Tokenglass: complete – the model ended it; not checked]"));
    QAction* withVerdict = nullptr;
    for (QAction* action : fixture.window.findChildren<QAction*>())
        if (action->text().remove('&') == "Copy with verdict line")
            withVerdict = action;
    QVERIFY(withVerdict && withVerdict->isChecked());
    withVerdict->trigger();
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), source);
    QCOMPARE(fixture.store.value("window/copyVerdictLine").toBool(), false);

    QToolButton* copyCode = nullptr;
    for (QToolButton* button : fixture.lastAnswer()->surface().findChildren<QToolButton*>())
        if (button->accessibleName() == "Copy code")
            copyCode = button;
    QVERIFY(copyCode);
    QTest::mouseClick(copyCode, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("    four = 4\n\ttab"));

    fixture.lastAnswer()->surface().selectAll();
    const QString selected = fixture.lastAnswer()->surface().selectedText();
    QVERIFY(!selected.contains(QChar(0x2028)) && !selected.contains(QChar(0x2029)));
    QVERIFY(selected.contains("    four = 4"));
}

void TestChatView::onlyWebAndMailLinksMayOpen_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("mayOpen");
    QTest::newRow("web") << "https://example.org/a?b=c" << true;
    QTest::newRow("mail") << "mailto:a@example.org" << true;
    QTest::newRow("file") << "file:///etc/passwd" << false;
    QTest::newRow("network share") << "//host/share" << false;
    QTest::newRow("windows share") << "\\\\host\\share" << false;
    QTest::newRow("script") << "javascript:alert(1)" << false;
    QTest::newRow("other program") << "ms-settings:privacy" << false;
    QTest::newRow("relative") << "x.html" << false;
    QTest::newRow("no host") << "http:///x" << false;
}

void TestChatView::onlyWebAndMailLinksMayOpen()
{
    QFETCH(QString, target);
    QFETCH(bool, mayOpen);
    QCOMPARE(ui::mayOpenLink(target), mayOpen);
}

void TestChatView::earlierTurnsAreBuiltWhileTheViewStays()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    app::Conversation& chat = fixture.chat();
    for (int i = 0; i < 60; ++i) {
        app::Turn* parent = chat.turns().empty() ? nullptr : chat.turns().back();
        app::Turn& question = chat.addPersonTurn(QString("Question %1").arg(i), parent, 2 * i + 1);
        app::DraftOrigin origin;
        origin.request.runId = engine::RunId(i + 1000);
        auto draft = std::make_unique<app::Draft>(std::move(origin));
        engine::RunEnded end;
        end.runId = draft->runId();
        end.ledger.reason = StopReason::EndToken;
        end.text = "Some **words**\n\n- one\n- two\n";
        draft->apply(end);
        chat.addAnswer({}, std::move(draft), &question, 2 * i + 2);
    }
    fixture.window.showConversation(
        &fixture.workspace.addConversation(app::ConversationKind::Chat));
    fixture.settle();
    fixture.window.showConversation(&chat);
    QVERIFY(!fixture.view().answerAt(1)); // the end is what is looked at first
    ui::AnswerView* anchor = fixture.view().answerAt(115);
    QVERIFY(anchor);
    QScrollBar* bar = fixture.view().verticalScrollBar();
    bar->setValue(bar->maximum() - 100);
    const auto place = [&] { return anchor->mapTo(fixture.view().viewport(), QPoint()).y(); };
    const int before = place();
    QTRY_VERIFY(fixture.view().answerAt(1));
    fixture.settle();
    QVERIFY(std::abs(place() - before) <= 1);
    QVERIFY(!fixture.view().isFollowing());
    int bottom = 0;
    for (size_t i = 1; i < chat.turnCount(); i += 2) {
        const ui::AnswerView* answer = fixture.view().answerAt(i);
        QVERIFY(answer);
        QVERIFY(answer->y() > bottom);
        bottom = answer->geometry().bottom();
    }
}

void TestChatView::manyMessagesKeepTheirOrderAndHeights()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    for (int i = 0; i < 12; ++i) {
        fixture.send(QString("Question %1").arg(i));
        fixture.engine.token("Answer **" + std::to_string(i) + "**\n\n1. one\n2. two");
        fixture.engine.end(StopReason::EndToken);
        fixture.settle(20);
    }
    for (const int width : { 1300, 800, 1000 }) {
        fixture.window.resize(width, 700);
        fixture.settle();
        int bottom = 0;
        for (size_t i = 0; i < fixture.chat().turnCount(); ++i) {
            const ui::AnswerView* answer = fixture.view().answerAt(i);
            if (!answer)
                continue;
            QVERIFY(answer->y() > bottom);
            QCOMPARE(answer->height(), answer->heightFor(answer->width()));
            bottom = answer->geometry().bottom();
        }
    }
}

void TestChatView::theAnswerIsReadableByAssistiveSoftware()
{
    QAccessible::setActive(true);
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("Some **bold** words");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QAccessibleInterface* accessible
        = QAccessible::queryAccessibleInterface(&fixture.lastAnswer()->surface());
    QVERIFY(accessible);
    QVERIFY(accessible->textInterface());
    QCOMPARE(accessible->textInterface()->text(0, accessible->textInterface()->characterCount()),
        QString("Some bold words"));
    QVERIFY(accessible->state().readOnly);
}

QTEST_MAIN(TestChatView)
#include "tst_chat_view.moc"
