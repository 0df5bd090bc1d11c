#include "app/conversation/run_variants.h"

#include <QTest>

using app::ChatSettings;
using app::StopWish;
using app::VariedThing;
using engine::StopReason;

namespace {

constexpr engine::TokenId kEnd = 2;

/// A run that wrote these pieces; "" is the end token. The text is what was shown of them.
app::Draft ended(StopReason reason, const std::vector<std::string>& pieces, const std::string& text,
    std::vector<std::string> stopStrings = {})
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    origin.request.promptIds = { 10, 11 };
    origin.request.lengthCap = 3;
    origin.request.stopStrings = std::move(stopStrings);
    origin.endTokenTexts = { { kEnd, "</s>" } };
    app::Draft draft(std::move(origin));
    for (const std::string& piece : pieces) {
        engine::TokenDecoded token;
        token.runId = 1;
        token.record.id = piece.empty() ? kEnd : engine::TokenId(20);
        token.record.bytes = piece;
        draft.apply(token);
    }
    engine::RunEnded event;
    event.runId = 1;
    event.text = text;
    event.ledger.reason = reason;
    event.ledger.tokenCount = int(pieces.size());
    event.ledger.contextLength = 100;
    draft.apply(event);
    return draft;
}

QStringList whySame(const std::vector<app::WhyColumn>& columns)
{
    QStringList found;
    for (const app::WhyColumn& column : columns)
        found.append(column.same);
    return found;
}

StopWish wishOf(const app::WhyColumn& column) { return std::get<StopWish>(column.variant.how); }

QStringList labels(const std::vector<app::RunVariant>& variants)
{
    QStringList found;
    for (const app::RunVariant& variant : variants)
        found.append(variant.label);
    return found;
}

ChatSettings settingsOf(const app::RunVariant& variant) { return std::get<ChatSettings>(variant.how); }

}

class TestRunVariants : public QObject {
    Q_OBJECT
private slots:
    void whyHereRunsOnlyWhatTheTokensDoNotTell()
    {
        const auto capped = app::whyHere(ended(StopReason::LengthCap, { "a", "b", "c" }, "abc", { "x" }));
        QCOMPARE(capped.size(), size_t(3));
        QCOMPARE(capped[0].variant.label, QString("cap doubled to 6"));
        QCOMPARE(capped[1].variant.label, QString("stop strings off"));
        QCOMPARE(capped[2].variant.label, QString("end tokens ignored"));
        QVERIFY(wishOf(capped[0]) == (StopWish { 6, { "x" }, false }));
        QVERIFY(wishOf(capped[1]) == (StopWish { 3, {}, false }));
        QVERIFY(wishOf(capped[2]) == (StopWish { 3, { "x" }, true }));
        QCOMPARE(whySame(capped),
            (QStringList { "", "The same tokens: the length cap ended it.",
                "The same tokens: the length cap ended it." }));

        const auto stopped = app::whyHere(ended(StopReason::StopString, { "a", "." }, "a", { "." }));
        QCOMPARE(whySame(stopped),
            (QStringList { "The same tokens: a stop string ended it.", "",
                "The same tokens: a stop string ended it." }));

        const auto complete = app::whyHere(ended(StopReason::EndToken, { "a", "" }, "a"));
        QCOMPARE(whySame(complete),
            (QStringList { "The same tokens: an end token ended it.",
                "The same tokens: an end token ended it; it had no stop strings.", "" }));
    }

    void aStopStringAtTheCapIsNotTheSameAnswerWithoutIt()
    {
        // Cap and stop string at one token: without the string the reason is another.
        const auto both = app::whyHere(ended(StopReason::StopString, { "a", "b", "." }, "ab", { "." }));
        QVERIFY(both[1].same.isEmpty());
        // What was held back when the cap ended it is shown either way.
        const auto held = app::whyHere(ended(StopReason::LengthCap, { "a", "b", "<" }, "ab<", { "<>" }));
        QVERIFY(!held[1].same.isEmpty());
    }

    void aRunThatNoTokenEndedIsVariedInAllWays()
    {
        const auto cancelled = app::whyHere(ended(StopReason::Cancelled, { "a" }, "a", { "x" }));
        QCOMPARE(whySame(cancelled), (QStringList { "", "", "" }));
        // But for what it did not have.
        const auto without = app::whyHere(ended(StopReason::Cancelled, { "a" }, "a"));
        QCOMPARE(whySame(without), (QStringList { "", "The same tokens: it had no stop strings.", "" }));
        QVERIFY(app::whyHere(app::Draft({})).empty());
    }

    void aRunWhoseTokensAreNotThereIsRun()
    {
        const auto columns = app::whyHere(ended(StopReason::LengthCap, {}, "abc", { "x" }));
        QCOMPARE(whySame(columns), (QStringList { "", "", "" }));
    }

    void setsOfStopStringsAreOneRunEach()
    {
        const auto sets = app::stopStringVariants({}, { { ".", "\n\n" }, {}, { " " }, {} });
        QVERIFY(sets);
        QCOMPARE(labels(*sets),
            (QStringList { QString::fromUtf8("stops at ‘.’, ‘⏎⏎’"), "no stop strings",
                QString::fromUtf8("stops at ‘␣’") }));
        QCOMPARE(settingsOf((*sets)[0]).stopStrings, (QStringList { ".", "\n\n" }));
        QVERIFY(settingsOf((*sets)[1]).stopStrings.isEmpty());
    }

    void templatesAndModelsAreChosenForTheRunAlone()
    {
        const std::vector<app::PromptFormat> all = app::choosableFormats();
        const auto templates = app::templateVariants({}, all);
        QVERIFY(templates);
        QCOMPARE(labels(*templates),
            (QStringList { "own template", "ChatML template", "Llama 3 template", "Gemma template", "no template" }));
        QVERIFY((*templates)[4].format.kind == app::PromptFormatKind::None);
        QVERIFY(settingsOf((*templates)[1]) == ChatSettings());
        const auto models = app::modelVariants({}, { "/m/Gemma 3.gguf", "/m/b.q4.gguf" });
        QVERIFY(models);
        QCOMPARE(labels(*models), (QStringList { "Gemma 3", "b.q4" }));
        QCOMPARE((*models)[0].modelPath, QString("/m/Gemma 3.gguf"));
        QVERIFY(!app::modelVariants({}, {}));
        QVERIFY(!app::templateVariants({}, {}));
    }

    void capsAndTemperaturesAreRead()
    {
        const auto caps = app::listedVariants(VariedThing::LengthCap, {}, { "8", "64", "8" });
        QVERIFY(caps);
        QCOMPARE(labels(*caps), (QStringList { "cap 8", "cap 64" }));
        QCOMPARE(settingsOf((*caps)[1]).lengthCap, 64);
        const auto warm = app::listedVariants(VariedThing::Temperature, {}, { "0", "0.8" });
        QVERIFY(warm);
        QCOMPARE(settingsOf((*warm)[1]).sampling.temperature, 0.8f);
    }

    void whatCannotBeReadIsToldInWords_data()
    {
        QTest::addColumn<int>("thing");
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<QString>("words");
        QTest::newRow("no number") << int(VariedThing::LengthCap) << QStringList { "8", "ten" } << "“ten”";
        QTest::newRow("zero") << int(VariedThing::LengthCap) << QStringList { "0" } << "from 1 to";
        QTest::newRow("below zero") << int(VariedThing::Temperature) << QStringList { "-1" } << "“-1”";
        QTest::newRow("nan") << int(VariedThing::Temperature) << QStringList { "nan" } << "“nan”";
        QTest::newRow("nothing") << int(VariedThing::Seed) << QStringList {} << "Nothing";
        QTest::newRow("nine") << int(VariedThing::Seed)
                              << QStringList { "1", "2", "3", "4", "5", "6", "7", "8", "9" } << "9 runs";
        QTest::newRow("no stop strings") << int(VariedThing::StopStrings) << QStringList {} << "no stop strings";
    }
    void whatCannotBeReadIsToldInWords()
    {
        QFETCH(int, thing);
        QFETCH(QStringList, values);
        QFETCH(QString, words);
        const auto variants = app::listedVariants(VariedThing(thing), {}, values);
        QVERIFY(!variants);
        const QString message = QString::fromStdString(variants.error().message);
        QVERIFY2(message.contains(words), qPrintable(message));
    }

    void switchesHaveTwoSides()
    {
        ChatSettings base;
        base.stopStrings = QStringList { "." };
        const auto stops = app::listedVariants(VariedThing::StopStrings, base);
        QVERIFY(stops);
        QCOMPARE(settingsOf((*stops)[0]).stopStrings, QStringList { "." });
        QVERIFY(settingsOf((*stops)[1]).stopStrings.isEmpty());
        const auto ends = app::listedVariants(VariedThing::EndTokens, base);
        QVERIFY(ends);
        QVERIFY(!settingsOf((*ends)[0]).ignoreEndTokens);
        QVERIFY(settingsOf((*ends)[1]).ignoreEndTokens);
    }

    void presetsGetTheSeedOfTheAnswer()
    {
        ChatSettings base;
        base.fixedSeed = 7;
        ChatSettings own;
        own.preset = "Own";
        own.fixedSeed = 9;
        ChatSettings none;
        none.preset = "None";
        const auto variants = app::presetVariants(base, { own, none });
        QVERIFY(variants);
        QCOMPARE(settingsOf((*variants)[0]).fixedSeed, quint64(9));
        QCOMPARE(settingsOf((*variants)[1]).fixedSeed, quint64(7));
        QCOMPARE((*variants)[0].label, QString("preset “Own”"));
    }
};

QTEST_MAIN(TestRunVariants)
#include "tst_run_variants.moc"
