#include "app/conversation/prompt_gauge.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

using app::ConversationKind;
using app::PromptGauge;

namespace {

struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(ConversationKind::Chat);
    PromptGauge gauge { workspace };

    explicit Room(int contextLength = 8192)
    {
        gauge.setConversation(&chat);
        workspace.loadModel({ .path = "tiny.gguf", .contextLength = contextLength });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
    /// As the message box tells it.
    void type(const QString& text)
    {
        chat.setTypedText(text);
        gauge.setText(text);
    }
    void settle() { QTest::qWait(PromptGauge::kPauseMs + 100); }
};

}

class TestPromptGauge : public QObject {
    Q_OBJECT
private slots:
    void whatIsShownIsWhatIsSent();
    void nothingTypedIsNothingMeasured();
    void keysAreMeasuredOnceAfterAPause();
    void whatWillNotFitIsKnownBeforeItIsSent();
    void whatWillBeLeftOutIsKnownBeforeItIsSent();
    void anAnswerChangesTheNextPrompt();
    void sourcesAreMeasuredBeforeAnythingIsTyped();
    void theCapIsMeasuredAgainstTheRoom();
    void measuringWaitsForNobody();
    void whatWasOvertakenIsNeverShown();
    void anotherModelCountsAnew();
};

void TestPromptGauge::whatIsShownIsWhatIsSent()
{
    Room room;
    room.type("Hi there");
    QTRY_VERIFY(room.gauge.measure());
    QCOMPARE(room.gauge.measure()->messageTokens, 8);
    QCOMPARE(room.gauge.measure()->contextLength, 8192);
    QVERIFY(room.gauge.measure()->fits());
    const auto promptTokens = room.gauge.measure()->promptTokens;
    QVERIFY(room.workspace.send(room.chat, "Hi there"));
    QCOMPARE(promptTokens, std::optional<int>(int(room.engine.requests.back().promptIds.size())));
}

void TestPromptGauge::nothingTypedIsNothingMeasured()
{
    Room room;
    room.type("a");
    QTRY_VERIFY(room.gauge.measure());
    room.type("");
    QVERIFY(!room.gauge.measure()); // at once
    room.type("  ");
    room.settle();
    QVERIFY(!room.gauge.measure());
}

void TestPromptGauge::keysAreMeasuredOnceAfterAPause()
{
    Room room;
    QSignalSpy measured(&room.gauge, &PromptGauge::measured);
    for (int i = 1; i <= 20; ++i)
        room.type(QString(i, 'a'));
    QCOMPARE(measured.size(), 0);
    QTRY_COMPARE(measured.size(), 1);
    QCOMPARE(room.gauge.measure()->messageTokens, 20);
    room.gauge.setText(QString(20, 'a'));
    room.settle();
    QCOMPARE(measured.size(), 1);
}

void TestPromptGauge::whatWillNotFitIsKnownBeforeItIsSent()
{
    Room room(64);
    room.type(QString(44, 'x')); // the template takes 19
    QTRY_VERIFY(room.gauge.measure());
    QVERIFY(room.gauge.measure()->fits());
    room.type(QString(45, 'x'));
    QTRY_VERIFY(!room.gauge.measure()->fits());
    QVERIFY(!room.workspace.send(room.chat, QString(45, 'x')));
}

void TestPromptGauge::whatWillBeLeftOutIsKnownBeforeItIsSent()
{
    Room room(80);
    app::ChatSettings settings = room.chat.settings();
    settings.contextPolicy = app::ContextPolicy::DropOldestTurns;
    room.chat.setSettings(settings);
    QVERIFY(room.workspace.send(room.chat, "first"));
    room.engine.token("one");
    room.engine.end(engine::StopReason::EndToken);
    QTest::qWait(20);
    room.type(QString(20, 'x'));
    QTRY_VERIFY(room.gauge.measure());
    QCOMPARE(room.gauge.measure()->droppedTurnCount, 2);
    QVERIFY(room.workspace.send(room.chat, QString(20, 'x')));
    QCOMPARE(room.chat.lastDraft()->origin().droppedTurnCount, 2);
}

void TestPromptGauge::anAnswerChangesTheNextPrompt()
{
    Room room;
    QVERIFY(room.workspace.send(room.chat, "first"));
    room.type("next");
    QTRY_VERIFY(room.gauge.measure());
    QVERIFY(!room.gauge.measure()->promptTokens); // not known while an answer is written
    room.engine.token("one");
    room.engine.end(engine::StopReason::EndToken);
    QTRY_VERIFY(room.gauge.measure()->promptTokens);
    QCOMPARE(*room.gauge.measure()->promptTokens, 13 + 16 + 12 + 11);
}

void TestPromptGauge::sourcesAreMeasuredBeforeAnythingIsTyped()
{
    Room room;
    QVERIFY(room.workspace.addSources(room.chat, { app::sourceTextOf("a", QByteArray(100, 'x')) }));
    QVERIFY(!room.workspace.knownTokens(room.chat.sources()[0]));
    QTRY_VERIFY(room.gauge.measure());
    QCOMPARE(room.gauge.measure()->messageTokens, 0);
    QCOMPARE(room.gauge.measure()->sourceTokens, 100);
    QCOMPARE(room.workspace.knownTokens(room.chat.sources()[0]), std::optional<int>(100));
    const int alone = *room.gauge.measure()->promptTokens;
    room.type("Well?");
    QTRY_COMPARE(room.gauge.measure()->messageTokens, 5);
    const int with = *room.gauge.measure()->promptTokens;
    QVERIFY(with > alone);
    QVERIFY(room.workspace.send(room.chat, "Well?"));
    QCOMPARE(room.engine.requests.back().promptIds.size(), size_t(with));
    room.type("");
    room.workspace.removeSource(room.chat, room.chat.sources()[0].id);
    QTRY_VERIFY(!room.gauge.measure());
}

void TestPromptGauge::theCapIsMeasuredAgainstTheRoom()
{
    Room room(64);
    app::ChatSettings settings = room.chat.settings();
    settings.lengthCap = 20;
    room.chat.setSettings(settings);
    room.type(QString(25, 'x')); // the template takes 19
    QTRY_VERIFY(room.gauge.measure());
    QCOMPARE(room.gauge.measure()->lengthCap, 20);
    QCOMPARE(room.gauge.measure()->roomTokens(), std::optional<int>(20));
    room.type(QString(50, 'x'));
    QTRY_VERIFY(!room.gauge.measure()->fits());
    QCOMPARE(room.gauge.measure()->roomTokens(), std::optional<int>(0));
}

void TestPromptGauge::measuringWaitsForNobody()
{
    Room room;
    const QByteArray text(app::kLargestSourceBytes, 'x');
    QVERIFY(room.workspace.addSources(room.chat, { app::sourceTextOf("large", text) }));
    room.chat.setTypedText("Hi");
    room.gauge.setConversation(&room.chat); // begins at once, in its own thread
    QVERIFY(!room.gauge.measure());
    QTRY_VERIFY(room.gauge.measure());
    QVERIFY(!room.gauge.measure()->fits());
    QCOMPARE(room.gauge.measure()->sourceTokens, int(text.size()));
    QVERIFY(room.gauge.measure()->isLeast);
    QCOMPARE(*room.gauge.measure()->promptTokens, int(text.size()) + 2);
    qInfo("%.2f ms of the GUI thread", room.gauge.lastGuiMs());
}

void TestPromptGauge::whatWasOvertakenIsNeverShown()
{
    Room room;
    QVERIFY(room.workspace.addSources(
        room.chat, { app::sourceTextOf("large", QByteArray(app::kLargestSourceBytes, 'x')) }));
    app::Conversation& other = room.workspace.addConversation(ConversationKind::Chat);
    other.setTypedText("abc");
    room.gauge.setConversation(&room.chat);
    QSignalSpy measured(&room.gauge, &PromptGauge::measured);
    room.gauge.setConversation(&other);
    QTRY_COMPARE(measured.size(), 1);
    QCOMPARE(room.gauge.measure()->messageTokens, 3);
    QCOMPARE(room.gauge.measure()->sourceTokens, 0);
}

void TestPromptGauge::anotherModelCountsAnew()
{
    Room room;
    QVERIFY(room.workspace.addSources(room.chat, { app::sourceTextOf("a", "text") }));
    QTRY_VERIFY(room.workspace.knownTokens(room.chat.sources()[0]));
    room.workspace.loadModel({ .path = "other.gguf" });
    room.engine.finishLoad();
    QTRY_VERIFY(!room.workspace.knownTokens(room.chat.sources()[0]));
    QTRY_VERIFY(room.workspace.knownTokens(room.chat.sources()[0]));
}

QTEST_GUILESS_MAIN(TestPromptGauge)
#include "tst_prompt_gauge.moc"
