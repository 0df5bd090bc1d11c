#include "tests/ui/window_fixture.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QElapsedTimer>
#include <QSet>

using engine::StopReason;

namespace {

int s_busyEvents = 0;
int s_nameEvents = 0;

void countEvents(QAccessibleEvent* event)
{
    if (event->type() == QAccessible::StateChanged)
        ++s_busyEvents;
    if (event->type() == QAccessible::NameChanged)
        ++s_nameEvents;
}

QString accessibleName(QWidget* widget)
{
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    return accessible ? accessible->text(QAccessible::Name) : QString();
}

}

/// A draft is partial until the engine says otherwise: on screen and for assistive software.
class TestDraftLabel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }
    void saysPartialUntilTheTerminalEvent_data();
    void saysPartialUntilTheTerminalEvent();
    void everyStopReasonHasItsWords_data();
    void everyStopReasonHasItsWords();
    void stagesBeforeTheFirstTokenSayPartial();
    void heldTextIsTold();
    void assistiveSoftwareHearsOfStatesNotOfTokens();
    void figuresShowRatesAndTimes();
    void theFooterHasRoomForFiguresOfTwoLines();
    void theListShowsTheSameState();
};

void TestDraftLabel::saysPartialUntilTheTerminalEvent_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<bool>("endsWithEndToken");
    for (const engine::StopReasonInfo& row : engine::stopReasonTable())
        QTest::newRow(row.name) << int(row.reason) << (row.reason == StopReason::EndToken);
}

void TestDraftLabel::saysPartialUntilTheTerminalEvent()
{
    QFETCH(int, reason);
    QFETCH(bool, endsWithEndToken);
    tests::WindowFixture fixture;
    fixture.loadModel();
    app::ChatSettings settings = fixture.chat().settings();
    settings.lengthCap = 3;
    fixture.chat().setSettings(settings);
    fixture.send("Count");
    fixture.engine.token("1, ");
    fixture.engine.token("2, ");
    // The cap-th token, or a token that ends a generation: everything is there but the event.
    if (endsWithEndToken)
        fixture.engine.token("", tests::FakeEngine::kEnd);
    else
        fixture.engine.token("3, ");

    QElapsedTimer withheld;
    withheld.start();
    while (withheld.elapsed() < 2000) {
        fixture.settle(100);
        QVERIFY2(fixture.stateLabel()->text().startsWith("Partial"),
            qPrintable(fixture.stateLabel()->text()));
        QVERIFY2(accessibleName(fixture.stateLabel()).startsWith("Partial"),
            qPrintable(accessibleName(fixture.stateLabel())));
        QVERIFY(accessibleName(&fixture.lastAnswer()->surface()).contains("Partial"));
        QVERIFY(fixture.chip()->text().isEmpty());
        QVERIFY(fixture.lastAnswer()->words().edge == ui::EdgeStyle::Dashed);
    }
    fixture.engine.end(StopReason(reason));
    fixture.settle();
    const bool staysPartial
        = engine::stopReasonInfo(StopReason(reason)).verdict == engine::Verdict::Partial;
    QCOMPARE(fixture.stateLabel()->text().startsWith("Partial"), staysPartial);
    QCOMPARE(accessibleName(fixture.stateLabel()).startsWith("Partial"), staysPartial);
    QVERIFY(!fixture.chip()->text().isEmpty());
    QVERIFY(fixture.chip()->isVisible());
}

void TestDraftLabel::everyStopReasonHasItsWords_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("chip");
    QTest::addColumn<QString>("note");
    const auto row = [](StopReason reason, const char* state, const char* chip, const char* note) {
        QTest::newRow(engine::stopReasonInfo(reason).name)
            << int(reason) << state << QString::fromUtf8(chip) << note;
    };
    row(StopReason::EndToken, "Complete response", "end token <|im_end|>", "not checked");
    row(StopReason::StopString, "Stopped", "at your stop string ‘5, 6’", "may be unfinished");
    row(StopReason::LengthCap, "Capped", "length cap 1,024 reached", "not known to be complete");
    row(StopReason::ContextFull, "Capped", "context full (8,192 of 8,192)",
        "not known to be complete");
    row(StopReason::ThinkingCap, "Capped", "thinking budget used up", "not known to be complete");
    row(StopReason::TimeCap, "Capped", "time limit reached", "not known to be complete");
    row(StopReason::Repetition, "Capped", "repeating itself (4 tokens, 6 times)",
        "not known to be complete");
    row(StopReason::Cancelled, "Partial", "stopped by you after 2 tokens", "");
    row(StopReason::Failed, "Partial", "failed: device lost", "");
    row(StopReason::Interrupted, "Partial", "the program ended", "");
}

void TestDraftLabel::everyStopReasonHasItsWords()
{
    QFETCH(int, reason);
    QFETCH(QString, state);
    QFETCH(QString, chip);
    QFETCH(QString, note);
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Count");
    fixture.engine.token("1, ");
    fixture.engine.token("2, ");
    fixture.engine.end(StopReason(reason), [](engine::RunEnded& end) {
        end.ledger.stopString = "5, 6";
        if (end.ledger.reason == StopReason::ContextFull)
            end.ledger.contextUsed = 8192;
        end.ledger.error = engine::Error::deviceLost("The driver reset the device.");
        end.ledger.entries.push_back({ StopReason::Repetition, true, "4 tokens, 6 times" });
    });
    fixture.settle();
    const ui::DraftWords& words = fixture.lastAnswer()->words();
    QCOMPARE(words.state, state);
    QCOMPARE(words.chip, chip);
    QCOMPARE(words.note, note);
    // What a reason does not prove is on screen at every width.
    for (const int width : { 1300, 700 }) {
        fixture.window.resize(width, 700);
        fixture.settle();
        bool noteShown = fixture.figures().contains(note);
        for (const QLabel* label : fixture.lastAnswer()->footer().findChildren<QLabel*>())
            noteShown = noteShown || (label->isVisible() && label->text() == note);
        QVERIFY(noteShown);
    }
    QCOMPARE(fixture.stateLabel()->text(), state);
    QCOMPARE(fixture.chip()->text(), chip);
    QVERIFY(accessibleName(fixture.stateLabel()).contains(chip));
}

void TestDraftLabel::stagesBeforeTheFirstTokenSayPartial()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    QCOMPARE(fixture.stateLabel()->text(), QString::fromUtf8("Partial · waiting"));
    fixture.engine.queued(2);
    fixture.settle();
    QCOMPARE(fixture.stateLabel()->text(), QString::fromUtf8("Partial · waiting, 2 before this"));
    fixture.engine.prefill(96, 412, 64);
    fixture.settle();
    QCOMPARE(fixture.stateLabel()->text(),
        QString::fromUtf8("Partial · reading the prompt, 96 of 412 (64 reused)"));
    QVERIFY(fixture.lastAnswer()->words().edge == ui::EdgeStyle::Dotted);
}

void TestDraftLabel::heldTextIsTold()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("4, ");
    fixture.engine.heldToken("5,", "5, 6");
    fixture.settle();
    QVERIFY(fixture.footerText().contains(QString::fromUtf8("2 of 4 bytes of ‘5, 6’ held back")));
    QCOMPARE(fixture.lastAnswer()->surface().ghost(), QString("5,"));
    QCOMPARE(fixture.lastAnswer()->surface().plainText(), QString("4,"));
}

void TestDraftLabel::assistiveSoftwareHearsOfStatesNotOfTokens()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("a");
    fixture.settle();
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    const auto isBusy
        = [&] { return bool(QAccessible::queryAccessibleInterface(&surface)->state().busy); };
    const auto previous = QAccessible::installUpdateHandler(countEvents);
    s_busyEvents = s_nameEvents = 0;
    QSet<QString> shown;
    for (int i = 0; i < 20; ++i) {
        fixture.engine.token(" b");
        fixture.settle(20);
        shown.insert(fixture.stateLabel()->text());
        QCOMPARE(accessibleName(fixture.stateLabel()), QString::fromUtf8("Partial · writing"));
        QVERIFY(isBusy());
    }
    QVERIFY(shown.size() > 5); // the words on screen do count
    QCOMPARE(s_busyEvents, 0);
    QCOMPARE(s_nameEvents, 0);
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    QAccessible::installUpdateHandler(previous);
    QVERIFY(!isBusy());
    QVERIFY(accessibleName(&surface).contains("Complete response"));
    if (!QAccessible::isActive()) // platforms without assistive software deliver no events
        return;
    QVERIFY(s_busyEvents >= 1);
    QVERIFY(s_nameEvents >= 1);
}

void TestDraftLabel::figuresShowRatesAndTimes()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("a");
    fixture.settle();
    QVERIFY(fixture.figures().contains("first output"));
    fixture.engine.token("b");
    fixture.engine.token("c");
    fixture.engine.end(StopReason::EndToken, [](engine::RunEnded& end) {
        end.cache = { 10, 100, {}, {} };
        end.timing.prefillStartMs = 10;
        end.timing.prefillEndMs = 510; // 100 tokens in half a second
        end.timing.firstTokenMs = 510;
        end.timing.endedMs = 1510; // two decode passes in a second
    });
    fixture.settle();
    const QString figures = fixture.figures();
    QVERIFY2(figures.contains("(10 reused) at 200/s"), qPrintable(figures));
    QVERIFY2(figures.contains("wrote 3 at 2.0/s"), qPrintable(figures));
    QVERIFY2(figures.contains("completion 1.51 s"), qPrintable(figures));
}

void TestDraftLabel::theFooterHasRoomForFiguresOfTwoLines()
{
    tests::WindowFixture fixture;
    fixture.window.resize(1280, 800);
    fixture.loadModel();
    fixture.send("Hi");
    fixture.engine.token("The capital of France is Paris.");
    fixture.settle();
    fixture.engine.end(StopReason::EndToken, [](engine::RunEnded& end) {
        end.cache = { 24, 37, {}, {} };
        end.timing.prefillStartMs = 10;
        end.timing.prefillEndMs = 510;
        end.timing.firstTokenMs = 510;
        end.timing.endedMs = 680;
    });
    fixture.settle();
    const auto* figures = fixture.lastAnswer()->footer().findChild<QLabel*>("figures");
    const int oneLine = figures->fontMetrics().height();
    QVERIFY(figures->heightForWidth(figures->width()) > oneLine * 3 / 2); // or it proves nothing
    QVERIFY(figures->height() >= figures->heightForWidth(figures->width()));
}

void TestDraftLabel::theListShowsTheSameState()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Count to three");
    fixture.engine.token("1");
    fixture.settle();
    auto* list = fixture.window.findChild<QAbstractItemView*>("conversations");
    QVERIFY(list);
    const auto text
        = [&] { return list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString(); };
    QCOMPARE(text(), QString::fromUtf8("Count to three, Partial · writing"));
    fixture.engine.end(StopReason::LengthCap);
    fixture.settle();
    QCOMPARE(text(),
        QString::fromUtf8(
            "Count to three, Capped · length cap 1,024 reached · not known to be complete"));
}

QTEST_MAIN(TestDraftLabel)
#include "tst_draft_label.moc"
