#include "tests/ui/told_answer.h"
#include "ui/inspect/token_measure.h"

#include <QLocale>
#include <QSet>
#include <QTest>

using ui::TokenMeasure;
using ui::ValueUnit;

class TestTokenMeasure : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void percentagesKeepWhatMatters_data();
    void percentagesKeepWhatMatters();
    void oneValueIsToldInThreeUnits();
    void whatWasNotObservedHasNoValue();
    void everyValueOfARecordIsRead();
    void everyMeasureIsOneRowWithWords();
    void sharesRiseFromNoneToAll();
};

void TestTokenMeasure::percentagesKeepWhatMatters_data()
{
    QTest::addColumn<double>("probability");
    QTest::addColumn<QString>("words");
    QTest::newRow("plain") << 0.82 << "82 %";
    QTest::newRow("all") << 1.0 << "100 %";
    QTest::newRow("nearly all") << 0.99996 << "over 99.9 %";
    QTest::newRow("much") << 0.9951 << "99.5 %";
    QTest::newRow("few") << 0.0312 << "3.1 %";
    QTest::newRow("fewer") << 0.0003 << "0.03 %";
    QTest::newRow("hardly any") << 1e-9 << "under 0.01 %";
    QTest::newRow("rounded up") << 0.0999 << "10 %";
}

void TestTokenMeasure::percentagesKeepWhatMatters()
{
    QFETCH(double, probability);
    QFETCH(QString, words);
    QCOMPARE(ui::percentWords(probability), words);
}

void TestTokenMeasure::oneValueIsToldInThreeUnits()
{
    const ui::TokenMeasureInfo& probability = ui::tokenMeasureInfo(TokenMeasure::Probability);
    QCOMPARE(probability.words(0.25, ValueUnit::Percent), QString("25 %"));
    QCOMPARE(probability.words(0.25, ValueUnit::Nats), QString("1.39 nats"));
    QCOMPARE(probability.words(0.25, ValueUnit::Bits), QString("2.00 bits"));
    QCOMPARE(probability.words(1, ValueUnit::Bits), QString("0.00 bits"));
    const ui::TokenMeasureInfo& surprisal = ui::tokenMeasureInfo(TokenMeasure::Surprisal);
    QCOMPARE(surprisal.words(-std::log(0.25), ValueUnit::Percent), QString("25 %"));
    QCOMPARE(surprisal.words(-std::log(0.25), ValueUnit::Bits), QString("2.00 bits"));
}

void TestTokenMeasure::whatWasNotObservedHasNoValue()
{
    tests::ToldAnswer told;
    told.token(engine::TokenRecord { .id = 'x', .bytes = "x" });
    const app::TokenTrack track(told.answer);
    for (const ui::TokenMeasureInfo& info : ui::tokenMeasures()) {
        QVERIFY2(!info.value(track, 0), info.key);
        if (info.measure != TokenMeasure::Source)
            QVERIFY2(!info.value(track, track.promptCount()), info.key);
    }
}

void TestTokenMeasure::everyValueOfARecordIsRead()
{
    tests::ToldAnswer told;
    engine::TokenRecord record { .id = 'x', .bytes = "x", .source = engine::TokenSource::Typed };
    record.logprob = -2;
    record.entropy = 1.25F;
    record.rank = 7;
    record.endProbability = 0.5F;
    record.decidedMs = 300;
    told.token(record);
    record.decidedMs = 325;
    told.token(record);
    const app::TokenTrack track(told.answer);
    const int token = track.promptCount() + 1;
    const auto value
        = [&](TokenMeasure measure) { return *ui::tokenMeasureInfo(measure).value(track, token); };
    QCOMPARE(value(TokenMeasure::Probability), std::exp(-2.0));
    QCOMPARE(value(TokenMeasure::Surprisal), 2.0);
    QCOMPARE(value(TokenMeasure::Entropy), 1.25);
    QCOMPARE(value(TokenMeasure::Rank), 7.0);
    QCOMPARE(value(TokenMeasure::EndProbability), 0.5);
    QCOMPARE(value(TokenMeasure::Time), 25.0);
    QVERIFY(!ui::tokenMeasureInfo(TokenMeasure::Time).value(track, token - 1)); // with the prompt
    QCOMPARE(ui::tokenMeasureInfo(TokenMeasure::Source)
                 .words(value(TokenMeasure::Source), ValueUnit::Percent),
        QString("typed"));
}

void TestTokenMeasure::everyMeasureIsOneRowWithWords()
{
    QSet<QString> keys;
    for (const ui::TokenMeasureInfo& info : ui::tokenMeasures()) {
        keys.insert(info.key);
        for (const char* words : { info.name, info.meaning, info.low, info.high })
            QVERIFY2(!ui::measureWords(words).isEmpty(), info.key);
        QCOMPARE(&ui::tokenMeasureInfo(info.measure), &info);
    }
    QCOMPARE(size_t(keys.size()), ui::tokenMeasures().size());
}

void TestTokenMeasure::sharesRiseFromNoneToAll()
{
    QVERIFY(!ui::originShare(app::PromptOrigin::Unknown));
    const ui::TokenMeasureInfo& source = ui::tokenMeasureInfo(TokenMeasure::Source);
    QCOMPARE(source.promptTicks.size(), source.ticks.size());
    for (size_t i = 0; i < source.ticks.size(); ++i) { // the same places, other words
        QCOMPARE(source.share(source.promptTicks[i]), source.share(source.ticks[i]));
        QCOMPARE(source.words(source.promptTicks[i], ValueUnit::Percent),
            ui::originWords(app::PromptOrigin(i + 1)));
    }
    for (const ui::TokenMeasureInfo& info : ui::tokenMeasures()) {
        QVERIFY2(info.ticks.size() >= 4, info.key);
        for (size_t i = 1; i < info.ticks.size(); ++i)
            QVERIFY2(info.share(info.ticks[i]) > info.share(info.ticks[i - 1]), info.key);
        QVERIFY2(info.share(info.ticks.front()) < 0.02, info.key);
        QCOMPARE(info.share(info.ticks.back()), 1.0);
    }
}

QTEST_APPLESS_MAIN(TestTokenMeasure)
#include "tst_token_measure.moc"
