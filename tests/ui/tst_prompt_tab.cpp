#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/prompt_format.h"
#include "ui/inspect/prompt_tab.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QToolButton>

using engine::StopReason;
using tests::FakeEngine;

namespace {
/// A window with the inspector open on an answer.
struct PromptTabFixture : tests::WindowFixture {
    PromptTabFixture() { loadModel(); }

    void ask(const QString& question = "Hi") { send(question); }
    void openTab()
    {
        QTest::keyClick(window.focusWidget(), Qt::Key_I, Qt::ControlModifier);
        settle();
        QTabBar* bar = window.inspectorPane().tabs().tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(2).center());
        settle();
    }
    /// The bytes of a piece, one token each, as the fake engine's tokenizer divides them.
    void write(const std::string& text)
    {
        for (const char byte : text)
            engine.token(std::string(1, byte), engine::TokenId(uint8_t(byte)));
        settle();
    }
    void finish(engine::CacheUse cache = {})
    {
        engine.end(StopReason::LengthCap, [&](engine::RunEnded& end) { end.cache = cache; });
        settle();
    }
    template <typename T = QWidget> T* part(const char* name)
    {
        return window.inspectorPane().prompt().findChild<T*>(name);
    }
    QPlainTextEdit* prompt() { return part<QPlainTextEdit>("promptText"); }
    QString words(const char* name) { return part<QLabel>(name)->text(); }
    const engine::TokenIds& promptIds() { return engine.requests.back().promptIds; }
    QTextCharFormat formatAt(int character)
    {
        QTextCursor cursor(prompt()->document());
        cursor.setPosition(character + 1);
        return cursor.charFormat();
    }
};
}

class TestPromptTab : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void thePromptStandsThereAsItWasSent()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        const QString text = fixture.prompt()->toPlainText();
        QVERIFY(text.contains("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"));
        const auto start = int(text.indexOf("<|im_start|>"));
        QCOMPARE(fixture.formatAt(start).fontWeight(), int(QFont::Bold));
        QVERIFY(fixture.formatAt(int(text.indexOf("Hi"))).fontWeight() != int(QFont::Bold));
        QVERIFY(fixture.prompt()->isReadOnly());
    }

    void theCacheLensTellsReusedFromRecomputed()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.write("Ok");
        const auto count = int(fixture.promptIds().size());
        fixture.finish({ 2, count - 2, 2, "the cache ends here" });
        fixture.openTab();
        QCOMPARE(fixture.words("promptCache"),
            QString("Reused 2 of %1 tokens; recomputed %2. First difference at position 2: the "
                    "cache ends here.")
                .arg(count)
                .arg(count - 2));
        QCOMPARE(fixture.formatAt(0).underlineStyle(), QTextCharFormat::DashUnderline);
        const int last = fixture.prompt()->document()->characterCount() - 3;
        QCOMPARE(fixture.formatAt(last).underlineStyle(), QTextCharFormat::SingleUnderline);
        QTest::keyClick(fixture.part("cacheLens"), Qt::Key_Space);
        QCOMPARE(fixture.formatAt(0).underlineStyle(), QTextCharFormat::NoUnderline);
    }

    void theFirstDifferenceIsToldInPieces()
    {
        PromptTabFixture fixture;
        fixture.ask();
        engine::CacheUse use { 2, 9, 2, "token 115 stands where the cache has 120" };
        use.miss = engine::CacheMiss::OtherToken;
        use.heldToken = 'x';
        fixture.finish(use);
        fixture.openTab();
        QVERIFY2(fixture.words("promptCache")
                     .endsWith("First difference at position 2: the prompt has ‘s’ where the cache has ‘x’."),
            qPrintable(fixture.words("promptCache")));
    }

    void theCauseIsToldInWords()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.write("Ok");
        fixture.finish();
        QVERIFY(fixture.workspace.editMessage(fixture.chat(), *fixture.chat().turns()[0], "Ho"));
        fixture.settle();
        const auto& ids = fixture.promptIds();
        const auto position = int(std::ranges::find(ids, 'o') - ids.begin());
        engine::CacheUse use { position, int(ids.size()) - position, position, "other" };
        use.miss = engine::CacheMiss::OtherToken;
        use.heldToken = 'i';
        use.room = engine::KvRoom { 2, 64, 512 * 1024, 100 };
        fixture.finish(use);
        fixture.openTab();
        QVERIFY2(fixture.words("promptCache").endsWith(
                     "the prompt has ‘o’ where the cache has ‘i’. A message was changed."),
            qPrintable(fixture.words("promptCache")));
        QCOMPARE(fixture.words("promptRoom"),
            QString("In the KV cache prompt and answer hold 2 pages of 64 tokens (1.0 MiB); 28 slots of "
                    "the last page are unused."));
    }

    void whoseWordsItIsIsToldApart()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        const auto typed = int(fixture.prompt()->toPlainText().indexOf("Hi"));
        const QTextCharFormat marker = fixture.formatAt(0);
        const QTextCharFormat text = fixture.formatAt(typed);
        QVERIFY(marker.background().color() != text.background().color());
        QCOMPARE(marker.stringProperty(ui::kSpanWords), QString("template, control token"));
        QCOMPARE(text.stringProperty(ui::kSpanWords), QString("typed by you"));
        QWidget* legend = fixture.part("promptOrigins");
        QVERIFY(legend->isVisible() && legend->height() > 5);
        QCOMPARE(legend->accessibleDescription(), QString("template, typed by you"));
    }

    void theMessagesAreListedEachUnderALineOfItsOwn()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.write("Ok");
        fixture.finish();
        fixture.ask("More");
        fixture.openTab();
        QTest::mouseClick(fixture.part("promptAsMessages"), Qt::LeftButton);
        QCOMPARE(fixture.prompt()->toPlainText(),
            QString("1 · typed by you\nHi\n\n2 · earlier answer\nOk\n\n3 · typed by you\nMore"));
        QCOMPARE(fixture.prompt()->accessibleName(), QString("The prompt message by message"));
    }

    void anAnswerOfSeveralRunsLetsAPersonChoose()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        auto* runs = fixture.part<QComboBox>("promptRun");
        QVERIFY(!runs->isVisible());
        fixture.write("Ok");
        fixture.finish();
        QVERIFY(fixture.workspace.continueAnswer(fixture.chat()));
        fixture.settle();
        QVERIFY(runs->isVisible());
        QCOMPARE(runs->currentText(), QString("Run 2 of 2"));
        QVERIFY(fixture.prompt()->toPlainText().endsWith("assistant\nOk"));
        runs->setFocus();
        QTest::keyClick(runs, Qt::Key_Up);
        QCOMPARE(runs->currentText(), QString("Run 1 of 2"));
        QVERIFY(fixture.prompt()->toPlainText().endsWith("assistant\n"));
        fixture.write("ay"); // what is chosen stays while the newest run is written
        QCOMPARE(runs->currentText(), QString("Run 1 of 2"));
    }

    void theLineFollowsTheReading()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        QCOMPARE(fixture.words("promptCache"), QString("KV cache: not observed."));
        fixture.engine.prefill(5, 9, 3);
        fixture.settle();
        QCOMPARE(
            fixture.words("promptCache"), QString("Reused 3 of 9 tokens; recomputed 2 so far."));
        QCOMPARE(fixture.formatAt(0).underlineStyle(), QTextCharFormat::DashUnderline);
        fixture.engine.prefill(9, 9, 3);
        fixture.settle();
        QCOMPARE(fixture.words("promptCache"), QString("Reused 3 of 9 tokens; recomputed 6."));
    }

    void theIdsAreOneKeyAway()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        fixture.part("promptAsText")->setFocus();
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Right);
        QCOMPARE(fixture.window.focusWidget(), fixture.part("promptAsIds"));
        QStringList ids;
        for (const engine::TokenId id : fixture.promptIds())
            ids.append(QString::number(id));
        QCOMPARE(fixture.prompt()->toPlainText(), ids.join(", "));
        QTest::mouseClick(fixture.part("copyPrompt"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), ids.join(", "));
    }

    void textThatReadsBackAsItsIdsIsSaidQuietly()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        fixture.write("Ok");
        QVERIFY(fixture.words("roundTrip").startsWith("Whether the text reads back"));
        fixture.finish();
        QCOMPARE(fixture.words("roundTrip"),
            QString("The text of this answer would be read back as the same ids."));
    }

    void textThatReadsBackAsOtherIdsIsWarnedOf()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.write("O");
        fixture.engine.token("k", 'x'); // not the id of "k"
        fixture.finish();
        fixture.openTab();
        QCOMPARE(fixture.words("roundTrip"),
            QString("⚠ Read back as text, this answer has other ids from its token 2 on: the next "
                    "prompt will differ from the cache at position %1.")
                .arg(fixture.promptIds().size() + 1));
    }

    void whatLooksLikeMarkupStaysText()
    {
        PromptTabFixture fixture;
        fixture.ask("<b>x</b> &amp;");
        fixture.openTab();
        QVERIFY(fixture.prompt()->toPlainText().contains("<b>x</b> &amp;"));
    }

    void sourceTextsAreNamedAndStandApart()
    {
        app::DraftOrigin origin;
        origin.modelText = FakeEngine().modelText();
        origin.promptText = "Hi abc";
        origin.request.promptIds.assign(origin.promptText.begin(), origin.promptText.end());
        origin.sources = { { "notes.txt", "", 3, 3, 6 }, { "gone.txt", "", {}, {}, {} } };
        app::Answer answer;
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        ui::PromptTab tab;
        tab.setAnswer(&answer);
        tab.show();
        QCOMPARE(tab.findChild<QLabel*>("promptSources")->text(),
            QString("Source texts: notes.txt (3 tokens from position 3), gone.txt (its place is "
                    "not known)"));
        QTextCursor cursor(tab.findChild<QPlainTextEdit*>("promptText")->document());
        cursor.setPosition(3);
        QVERIFY(!cursor.charFormat().fontItalic());
        cursor.setPosition(4);
        QVERIFY(cursor.charFormat().fontItalic());
    }

    void nothingIsPutTogetherWhileHidden()
    {
        PromptTabFixture fixture;
        fixture.ask();
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_I, Qt::ControlModifier);
        fixture.write("Ok");
        fixture.finish();
        QCOMPARE(fixture.prompt()->toPlainText(), QString());
    }

    void whatIsSelectedStaysWhileTheAnswerGrows()
    {
        PromptTabFixture fixture;
        fixture.ask();
        fixture.openTab();
        fixture.prompt()->setFocus();
        QTest::keyClick(fixture.prompt(), Qt::Key_A, Qt::ControlModifier);
        QVERIFY(fixture.prompt()->textCursor().hasSelection());
        fixture.write("Ok");
        QVERIFY(fixture.prompt()->textCursor().hasSelection());
    }

    void withoutAnAnswerASentenceSaysWhy()
    {
        PromptTabFixture fixture;
        fixture.openTab();
        QVERIFY(fixture.part("noPrompt")->isVisible());
        QVERIFY(fixture.words("noPrompt").startsWith("There is no answer yet."));
        QVERIFY(!fixture.prompt()->isVisible());
    }

    void everyControlHasAName()
    {
        ui::PromptTab tab;
        for (const char* name : { "promptAsText", "promptAsIds", "promptAsMessages", "copyPrompt" })
            QVERIFY(!tab.findChild<QToolButton*>(name)->accessibleName().isEmpty());
        QVERIFY(!tab.findChild<QCheckBox*>("cacheLens")->text().isEmpty());
        QVERIFY(!tab.findChild<QComboBox*>("promptRun")->accessibleName().isEmpty());
    }
};

QTEST_MAIN(TestPromptTab)
#include "tst_prompt_tab.moc"
