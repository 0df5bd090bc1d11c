#include "app/conversation/chat_markdown.h"
#include "app/conversation/verdict_line.h"
#include "app/conversation/workspace.h"
#include "app/runs/run_record.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::ConversationKind;
using engine::StopReason;

namespace {

/// A workspace with a model and one conversation.
struct Talk {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(ConversationKind::Chat);

    Talk()
    {
        workspace.loadModel({ .path = "tiny.gguf" });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
    void say(const QString& question, const std::string& answer,
        std::optional<StopReason> reason = StopReason::EndToken,
        const std::function<void(engine::RunEnded&)>& change = {})
    {
        QVERIFY(workspace.send(chat, question));
        QCoreApplication::processEvents();
        engine.token(answer);
        if (reason)
            engine.end(*reason, change);
        QTest::qWait(30);
    }
    QString markdown() const { return QString::fromStdString(app::chatMarkdown(chat)); }
    QString line() const { return app::verdictLine(*chat.lastAnswer()); }
};

}

class TestChatMarkdown : public QObject {
    Q_OBJECT
private slots:
    void aLineUnderEachAnswerSaysHowItEnded();
    void everyReasonHasItsWords_data();
    void everyReasonHasItsWords();
    void whatIsNotEndedIsPartial();
    void anEditedAnswerIsAPersons();
    void anOpenFenceCannotSwallowTheLine();
    void onlyTheShownBranchIsWritten();
    void theLineIsOneLineWhateverTheStopStringHolds();
    void sourcesAreListedWithTokensAndHash();
    void aPageIsItsText();
};

void TestChatMarkdown::aLineUnderEachAnswerSaysHowItEnded()
{
    Talk talk;
    talk.say("Count", "1, 2,", StopReason::LengthCap,
        [](engine::RunEnded& end) { end.ledger.lengthCap = 256; });
    talk.say("Go on", "3.");
    const QString text = talk.markdown();
    QVERIFY2(text.startsWith("# Count\n\n## You\n\n> Count\n\n## "), qPrintable(text));
    QVERIFY2(text.contains("> 1, 2,\n\n*Tokenglass: capped – length cap 256 reached; not known to "
                           "be complete*\n"),
        qPrintable(text));
    QVERIFY2(text.endsWith("> 3.\n\n*Tokenglass: complete – the model ended it; not checked*\n\n"),
        qPrintable(text));
}

void TestChatMarkdown::everyReasonHasItsWords_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("begins");
    QTest::addColumn<QString>("ends");
    const QString unknown = QStringLiteral("; not known to be complete]");
    const auto row = [&](StopReason reason, const char* begins, const QString& ends) {
        QTest::newRow(engine::stopReasonInfo(reason).name)
            << int(reason) << QStringLiteral("[Tokenglass: ") + QString::fromUtf8(begins) << ends;
    };
    row(StopReason::EndToken, "complete – the model ended it", "; not checked]");
    row(StopReason::StopString, "stopped – stop string “", "; may be unfinished]");
    row(StopReason::LengthCap, "capped – length cap", unknown);
    row(StopReason::ContextFull, "capped – context full", unknown);
    row(StopReason::ThinkingCap, "capped – thinking budget", unknown);
    row(StopReason::TimeCap, "capped – time limit", unknown);
    row(StopReason::Repetition, "capped – it was repeating", unknown);
    row(StopReason::Cancelled, "partial – stopped by the person", unknown);
    row(StopReason::Failed, "partial – failed", unknown);
    row(StopReason::Interrupted, "partial – the program ended", unknown);
    QCOMPARE(size_t(StopReason::Interrupted) + 1, engine::stopReasonTable().size());
}

void TestChatMarkdown::everyReasonHasItsWords()
{
    QFETCH(int, reason);
    QFETCH(QString, begins);
    QFETCH(QString, ends);
    Talk talk;
    talk.say("Hi", "x", StopReason(reason));
    QVERIFY2(talk.line().startsWith(begins), qPrintable(talk.line()));
    QVERIFY2(talk.line().endsWith(ends), qPrintable(talk.line()));
    QVERIFY(!talk.line().contains('\n'));
}

void TestChatMarkdown::whatIsNotEndedIsPartial()
{
    Talk talk;
    talk.say("Hi", "All of it.", std::nullopt);
    QCOMPARE(talk.line(),
        QString::fromUtf8("[Tokenglass: partial – still being written; not known to be complete]"));
}

void TestChatMarkdown::anEditedAnswerIsAPersons()
{
    Talk talk;
    talk.say("Hi", "Hello.");
    QVERIFY(talk.workspace.editAnswer(talk.chat, *talk.chat.lastAnswerTurn(), "Good day."));
    QCOMPARE(talk.line(), QStringLiteral("[Tokenglass: written by a person]"));
    QVERIFY(talk.markdown().contains("> Good day."));
}

void TestChatMarkdown::anOpenFenceCannotSwallowTheLine()
{
    Talk talk;
    talk.say("Code", "```py\nprint(1)\r\n<!--\n\n# no heading", StopReason::LengthCap);
    // Everything that was said stands in the quote, which ends before the line.
    const QStringList lines = talk.markdown().split('\n');
    const qsizetype fence = lines.indexOf("> ```py");
    QVERIFY(fence > 0);
    QCOMPARE(lines.mid(fence, 5),
        QStringList({ "> ```py", "> print(1)", "> <!--", ">", "> # no heading" }));
    QCOMPARE(lines[fence + 5], QString());
    QVERIFY(lines[fence + 6].startsWith("*Tokenglass: capped"));
}

void TestChatMarkdown::onlyTheShownBranchIsWritten()
{
    Talk talk;
    talk.say("Hi", "first");
    QVERIFY(talk.workspace.regenerate(talk.chat));
    QCoreApplication::processEvents();
    talk.engine.token("second");
    talk.engine.end(StopReason::EndToken);
    QTest::qWait(30);
    QVERIFY(talk.markdown().contains("> second"));
    QVERIFY(!talk.markdown().contains("first"));
}

void TestChatMarkdown::theLineIsOneLineWhateverTheStopStringHolds()
{
    Talk talk;
    talk.say("Hi", "x", StopReason::StopString,
        [](engine::RunEnded& end) { end.ledger.stopString = "\n\n*User*:"; });
    QVERIFY2(talk.line().contains(QString::fromUtf8("“*User*:”")), qPrintable(talk.line()));
    QVERIFY2(
        talk.markdown().contains(QString::fromUtf8("“\\*User\\*:”")), qPrintable(talk.markdown()));
}

void TestChatMarkdown::sourcesAreListedWithTokensAndHash()
{
    Talk talk;
    QVERIFY(
        talk.workspace.addSources(talk.chat, { app::sourceTextOf("opening_hours.txt", "Monday") }));
    talk.say("When?", "On Monday.");
    QVERIFY(talk.workspace.addSources(talk.chat, { app::sourceTextOf("new.md", "x") }));
    const QString text = talk.markdown();
    const QString hash = QString::fromStdString(app::sha256Hex("Monday"));
    QVERIFY2(
        text.contains("## Source texts\n\n- opening\\_hours.txt: 6 tokens of "), qPrintable(text));
    QVERIFY2(text.contains(", SHA-256 `" + hash + "`\n- new.md: SHA-256 `"), qPrintable(text));
    QVERIFY(text.indexOf("## Source texts") < text.indexOf("## You"));
}

void TestChatMarkdown::aPageIsItsText()
{
    Talk talk;
    app::Conversation& page = talk.workspace.addConversation(ConversationKind::PlainText);
    page.setDocument("Once upon a time\nthere was");
    const QString text = QString::fromStdString(app::chatMarkdown(page));
    QVERIFY2(text.contains("> Once upon a time\n> there was\n"), qPrintable(text));
}

QTEST_GUILESS_MAIN(TestChatMarkdown)
#include "tst_chat_markdown.moc"
