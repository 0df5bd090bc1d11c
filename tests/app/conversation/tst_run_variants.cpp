#include "app/conversation/run_variants.h"

#include <QTest>

using app::ChatSettings;
using app::StopWish;
using app::VariedThing;
using engine::StopReason;

namespace {

app::Draft ended(StopReason reason, bool hasStopStrings = true)
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    origin.request.lengthCap = 8;
    if (hasStopStrings)
        origin.request.stopStrings = { "\n" };
    app::Draft draft(std::move(origin));
    engine::RunEnded event;
    event.runId = 1;
    event.ledger.reason = reason;
    draft.apply(event);
    return draft;
}

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
    void whyHereVariesWhatEndedTheRunAndSaysWhyNotTheRest()
    {
        const app::WhyHere capped = app::whyHere(ended(StopReason::LengthCap));
        QCOMPARE(labels(capped.variants), QStringList { "cap doubled to 16" });
        QVERIFY(std::get<StopWish>(capped.variants[0].how) == (StopWish { 16, { "\n" }, false }));
        QCOMPARE(capped.leftOut,
            (QStringList { "stop strings off: the same tokens, for the length cap ended it",
                "end tokens ignored: the same tokens, for the length cap ended it" }));

        const app::WhyHere stopped = app::whyHere(ended(StopReason::StopString));
        QCOMPARE(labels(stopped.variants), QStringList { "stop strings off" });
        QVERIFY(std::get<StopWish>(stopped.variants[0].how) == (StopWish { 8, {}, false }));

        const app::WhyHere complete = app::whyHere(ended(StopReason::EndToken, false));
        QCOMPARE(labels(complete.variants), QStringList { "end tokens ignored" });
        QCOMPARE(complete.leftOut.back(), QString("stop strings off: it had none"));
        QVERIFY(app::whyHere(ended(StopReason::ContextFull)).isEmpty());
    }

    void aRunThatNoTokenEndedIsVariedInAllWays()
    {
        const app::WhyHere cancelled = app::whyHere(ended(StopReason::Cancelled));
        QCOMPARE(cancelled.variants.size(), size_t(3));
        QVERIFY(cancelled.leftOut.isEmpty());
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
