#include "tests/ui/window_fixture.h"
#include "ui/guide/cache_window.h"
#include "ui/guide/guide_actions.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>

using tests::WindowFixture;

namespace {
engine::ModelDescription describedModel()
{
    engine::ModelDescription about = tests::FakeEngine::tinyModel();
    about.fingerprint = "file a";
    about.rope = "base 10000";
    about.kvType = "f16";
    return about;
}

struct CacheFixture : WindowFixture {
    ui::CacheWindow& cache = *window.guide().showCacheQuestion();

    explicit CacheFixture(const engine::ModelDescription& about = describedModel())
    {
        engine.description = about;
        loadModel();
    }
    QString label(const char* name) { return cache.findChild<QLabel*>(QLatin1String(name))->text(); }
    /// answers: the ids with reuse, and those without.
    void prove(const std::vector<engine::TokenIds>& answers)
    {
        QTest::mouseClick(cache.findChild<QPushButton*>(QStringLiteral("prove")), Qt::LeftButton);
        for (int run = 0; run < 3; ++run) {
            engine::RunEnded ended;
            ended.runId = engine.requests[size_t(run)].runId;
            ended.tokenIds = answers[run == 2 ? 1 : 0];
            ended.text = "answer " + std::to_string(ended.tokenIds[0]) + " " + std::to_string(ended.tokenIds[1]);
            ended.cache.reusedTokens = run == 1 ? 18 : 0;
            ended.cache.computedTokens = run == 1 ? 3 : 21;
            engine.push(ended);
        }
        settle();
    }
};
}

/// The cache question in its window.
class TestCacheWindow : public QObject {
    Q_OBJECT
private slots:
    void theCacheQuestionNamesTheFirstDifferenceAndIsProved()
    {
        WindowFixture fixture;
        ui::CacheWindow& cache = *fixture.window.guide().showCacheQuestion();
        auto* prove = cache.findChild<QPushButton*>("prove");
        QVERIFY(!prove->isEnabled());
        fixture.engine.description = describedModel();
        fixture.loadModel();
        QVERIFY(cache.question());
        const QString sum = cache.findChild<QLabel*>("sum")->text();
        QVERIFY2(sum.startsWith("Not shareable past token 18:"), qPrintable(sum)); // "Find a train from "
        QVERIFY(sum.contains("‘G’ is held and ‘A’ is asked"));
        QVERIFY(sum.contains("That both end in ‘y’ changes nothing."));
        QVERIFY2(sum.contains("No whole page can be shared; the 18 tokens before"), qPrintable(sum));
        auto* conditions = cache.findChild<QTableWidget*>("conditions");
        QCOMPARE(conditions->rowCount(), 6);
        QVERIFY(conditions->item(0, 1)->text().startsWith("yes, up to token 18"));
        const char* const names[] { "Token ids, from the first on", "Positions", "Model file", "Tensor types",
            "Rotation of keys (RoPE)", "Number type of the cache" };
        const char* const held[] { "51 tokens", "from 0 on", "Tiny Test 1M", "Q4_1 (211), F32 (61)", "base 10000", "f16" };
        for (int row = 0; row < 6; ++row) {
            QCOMPARE(conditions->item(row, 0)->text(), QString(names[row]));
            QCOMPARE(conditions->item(row, 2)->text(), QString(held[row]));
            if (row > 0)
                QCOMPARE(conditions->item(row, 1)->text(), QString("yes"));
        }
        conditions->setFocus();
        QTest::keyClick(conditions, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(
            "Condition\tThe same?\tHeld\tAsked\nToken ids, from the first on\tyes, up to token 18; no from there on\t51 tokens\t"));
        QCOMPARE(QApplication::clipboard()->text().count('\n'), 7);
        QTest::mouseClick(prove, Qt::LeftButton);
        QCOMPARE(fixture.engine.requests.size(), size_t(3));
        QVERIFY(fixture.engine.requests[1].reusesCache && !fixture.engine.requests[2].reusesCache);
        QCOMPARE(fixture.engine.requests[1].promptIds, fixture.engine.requests[2].promptIds);
        for (int run = 0; run < 3; ++run) {
            engine::RunEnded ended;
            ended.runId = fixture.engine.requests[size_t(run)].runId;
            ended.tokenIds = { 5, 6 };
            ended.text = "at ten";
            ended.cache.reusedTokens = run == 1 ? 18 : 0;
            fixture.engine.push(ended);
        }
        fixture.settle();
        const QString proof = cache.findChild<QLabel*>("proof")->text();
        QVERIFY2(proof.contains("18 tokens reused") && proof.contains("The same tokens"), qPrintable(proof));
        cache.setPrompts("a b", "a b");
        QVERIFY(cache.findChild<QLabel*>("sum")->text().startsWith("The same 3 tokens"));
    }

    void theAnswersOfBothAreShownAndADifferenceIsAFault()
    {
        CacheFixture fixture;
        fixture.prove({ { 5, 6 }, { 5, 7 } });
        const QString proof = fixture.label("proof");
        QVERIFY2(proof.contains("With reuse: 18 tokens reused, 3 computed: “answer 5 6”"), qPrintable(proof));
        QVERIFY2(proof.contains("Without: 0 tokens reused, 21 computed: “answer 5 7”"), qPrintable(proof));
        QVERIFY2(proof.contains("Different tokens: this is a fault of the program."), qPrintable(proof));
        fixture.cache.setPrompts("a", "b"); // another question: the proof was not of it
        QCOMPARE(fixture.label("proof"), QString());
    }

    void aHeldPromptThatWasNotReadProvesNothing()
    {
        for (const bool isCancelled : { false, true }) {
            CacheFixture fixture;
            QTest::mouseClick(fixture.cache.findChild<QPushButton*>("prove"), Qt::LeftButton);
            QCOMPARE(fixture.engine.requests.size(), size_t(3));
            for (int run = 0; run < 3; ++run) {
                engine::RunEnded ended;
                ended.runId = fixture.engine.requests[size_t(run)].runId;
                ended.tokenIds = { 5, 6 };
                ended.cache.computedTokens = 21;
                if (run == 0 && isCancelled)
                    ended.ledger.cancelledBy = engine::CancelledBy::User;
                else if (run == 0)
                    ended.ledger.error = engine::Error::badRequest("the prompt has 900 tokens");
                fixture.engine.push(ended);
            }
            fixture.settle();
            const QString proof = fixture.label("proof");
            const QString why = isCancelled ? "cancelled" : "the prompt has 900 tokens";
            QVERIFY2(proof.startsWith("The held prompt was not read, so nothing is proved: " + why), qPrintable(proof));
            QVERIFY2(proof.contains("With reuse: 0 tokens reused, 21 computed"), qPrintable(proof));
            QVERIFY2(!proof.contains("as it must be"), qPrintable(proof));
        }
    }

    void whatIsTypedIsAskedAfterAPause()
    {
        CacheFixture fixture;
        auto* asked = fixture.cache.findChild<QPlainTextEdit*>("asked");
        fixture.cache.setPrompts("one two", "one two");
        QVERIFY(fixture.label("sum").startsWith("The same 7 tokens")); // at once
        QTest::keyClicks(asked, "x");
        QVERIFY(fixture.label("sum").startsWith("The same 7 tokens"));
        QTRY_VERIFY(fixture.label("sum").startsWith("Not shareable past token 0: there ‘o’ is held and ‘x’ is asked."));
        // A proof does not wait for the pause, and is of what was typed.
        QTest::keyClicks(asked, "y");
        QTest::mouseClick(fixture.cache.findChild<QPushButton*>("prove"), Qt::LeftButton);
        QCOMPARE(fixture.engine.requests.size(), size_t(3));
        QCOMPARE(fixture.engine.requests[1].promptIds, (engine::TokenIds { 'x', 'y', 'o', 'n', 'e', ' ', 't', 'w', 'o' }));
    }

    void whatWasTypedLastIsKept()
    {
        CacheFixture fixture;
        fixture.cache.setPrompts("one two", "one two");
        QTest::keyClicks(fixture.cache.findChild<QPlainTextEdit*>("held"), "x");
        auto* keep = fixture.cache.findChild<QCheckBox*>("keep");
        QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
        QVERIFY(keep->isChecked());
        QVERIFY2(fixture.label("sum").startsWith("Not shareable past token 0: there ‘x’ is held"), qPrintable(fixture.label("sum")));
    }

    void textsThatAreTooLongAreRefusedInWords()
    {
        WindowFixture fixture;
        ui::CacheWindow& cache = *fixture.window.guide().showCacheQuestion();
        const QString refusal = "One of the texts is longer than 256 KiB: that is too long to be compared here.";
        const QString most = (QString(63, 'x') + '\n').repeated(4096);
        for (const bool hasModel : { false, true }) {
            if (hasModel)
                fixture.loadModel();
            for (const bool isHeld : { false, true }) {
                cache.setPrompts(isHeld ? most + "x" : "x", isHeld ? "x" : most + "x");
                QCOMPARE(cache.findChild<QLabel*>("sum")->text(), refusal);
                QVERIFY(!cache.question() && !cache.findChild<QPushButton*>("prove")->isEnabled());
                QCOMPARE(cache.findChild<QTableWidget*>("conditions")->rowCount(), 0);
            }
            cache.setPrompts(most, "x");
            QVERIFY(cache.question());
        }
    }

    void manyDistinctWordsTakeNoTimeThatGrowsWithTheirSquare()
    {
        constexpr int kCount = 300'000; // one by one: 4.5e10 comparisons, minutes
        std::string text;
        for (int i = 0; i < kCount; ++i)
            text += " " + std::to_string(i);
        app::WordVocabulary words;
        QElapsedTimer clock;
        clock.start();
        const app::CachedPrompt first = app::wordPrompt(text, words);
        QVERIFY(clock.elapsed() < 20'000);
        QCOMPARE(first.ids.size(), size_t(kCount));
        QCOMPARE(first.ids.back(), engine::TokenId(kCount - 1));
        QCOMPARE(words.words().size(), size_t(kCount));
        QCOMPARE(words.words()[7], std::string(" 7"));
        // The same words are the same tokens in another text.
        QCOMPARE(app::wordPrompt(" 5 new 7 new", words).ids, (engine::TokenIds { 5, kCount, 7, kCount }));
        words.clear();
        QCOMPARE(app::wordPrompt("new", words).ids, (engine::TokenIds { 0 }));
    }

    void withoutAModelWordsStandForTokens()
    {
        WindowFixture fixture;
        ui::CacheWindow& cache = *fixture.window.guide().showCacheQuestion();
        const auto sum = [&] { return cache.findChild<QLabel*>("sum")->text(); };
        QCOMPARE(sum(),
            QString("No model is loaded, so words stand for tokens here. Not shareable past token 4: there ‘·Ghent’ is held and "
                    "‘·Antwerp’ is asked. That both end in ‘·way’ changes nothing."));
        auto* conditions = cache.findChild<QTableWidget*>("conditions");
        QCOMPARE(conditions->item(0, 1)->text(), QString("yes, up to token 4; no from there on"));
        for (int row = 2; row < 6; ++row)
            QCOMPARE(conditions->item(row, 1)->text(), QString("not known, so nothing is shared"));
        QVERIFY(!cache.findChild<QPushButton*>("prove")->isEnabled());
        QVERIFY(!cache.findChild<QCheckBox*>("keep")->isEnabled());
        cache.setPrompts("one  two", "one  two");
        QVERIFY2(sum().endsWith("The same 2 tokens from the first to the last."), qPrintable(sum()));
        cache.setPrompts("one two three", "one two");
        QVERIFY2(sum().endsWith("The 2 tokens that are asked are the first that are held."), qPrintable(sum()));
        cache.setPrompts("one two", "one  two"); // other spaces are another text
        QVERIFY2(sum().contains("past token 1: there ‘·two’ is held and ‘··two’ is asked"), qPrintable(sum()));
        cache.setPrompts(" ", "");
        QCOMPARE(sum(), QString("One of the texts is empty: there is nothing to share."));
    }

    void pagesAreCountedAndTheRestIsCopied()
    {
        CacheFixture fixture;
        const QString page(64, 'x');
        fixture.cache.setPrompts(page + "ab", page + "ac");
        QCOMPARE(fixture.label("sum"),
            QString("Not shareable past token 65: there ‘b’ is held and ‘c’ is asked. 1 whole page can be shared; the 1 token "
                    "before the difference that does not fill one is copied."));
        fixture.cache.setPrompts(page + page + "b", page + page);
        QCOMPARE(fixture.label("sum"),
            QString("The 128 tokens that are asked are the first that are held. All can be shared but the last, which must be "
                    "computed for its scores. 1 whole page can be shared; the 63 tokens before the last that do not fill one "
                    "are copied."));
        fixture.cache.setPrompts(page + page, page + page);
        QCOMPARE(fixture.label("sum"),
            QString("The same 128 tokens: all can be shared but the last, which must be computed for its scores. 1 whole page "
                    "can be shared; the 63 tokens before the last that do not fill one are copied."));
        fixture.cache.setPrompts(page + page, page + page + "b"); // all that is held serves
        QCOMPARE(fixture.label("sum"),
            QString("Not shareable past token 128: there its end is held and ‘b’ is asked. 2 whole pages can be shared."));
        fixture.cache.setPrompts(page, "x");
        QCOMPARE(fixture.label("sum"),
            QString("The 1 token that is asked is the first that is held. It must be computed for its scores. No whole page can "
                    "be shared."));
        fixture.cache.setPrompts("", "");
        QCOMPARE(fixture.label("sum"), QString("One of the texts is empty: there is nothing to share."));
        QVERIFY(!fixture.cache.findChild<QPushButton*>("prove")->isEnabled());
    }

    void whatIsKeptOfAnotherModelIsComparedWithTheLoadedOne()
    {
        CacheFixture fixture;
        fixture.cache.setPrompts("one two", "one two");
        auto* keep = fixture.cache.findChild<QCheckBox*>("keep");
        QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
        QVERIFY(keep->isChecked() && fixture.cache.findChild<QPlainTextEdit*>("held")->isReadOnly());
        engine::ModelDescription other = describedModel();
        other.name = "Other";
        other.fingerprint = "file b";
        other.rope = "base 1000000";
        fixture.engine.description = other;
        fixture.loadModel();
        auto* conditions = fixture.cache.findChild<QTableWidget*>("conditions");
        const char* const same[] { "yes", "yes", "no", "yes", "no", "yes" };
        for (int row = 0; row < 6; ++row)
            QCOMPARE(conditions->item(row, 1)->text(), QString(same[row]));
        QCOMPARE(conditions->item(2, 2)->text(), QString("Tiny Test 1M"));
        QCOMPARE(conditions->item(2, 3)->text(), QString("Other"));
        QCOMPARE(fixture.label("sum"),
            QString("The same 7 tokens, but nothing can be shared, for not all conditions hold: see Model file."));
        QVERIFY(!fixture.cache.findChild<QPushButton*>("prove")->isEnabled());
        QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
        QVERIFY(fixture.label("sum").startsWith("The same 7 tokens: all can be shared"));
        QVERIFY(fixture.cache.findChild<QPushButton*>("prove")->isEnabled());
    }

    void whatIsNotKnownIsNotShared()
    {
        CacheFixture fixture([] {
            engine::ModelDescription about = describedModel();
            about.rope.clear();
            return about;
        }());
        fixture.cache.setPrompts("one two", "one ten");
        QCOMPARE(fixture.cache.findChild<QTableWidget*>("conditions")->item(4, 1)->text(),
            QString("not known, so nothing is shared"));
        QVERIFY2(fixture.label("sum").contains("nothing before it either"), qPrintable(fixture.label("sum")));
    }
};

QTEST_MAIN(TestCacheWindow)
#include "tst_cache_window.moc"
