#include "tests/ui/told_answer.h"
#include "ui/inspect/token_names.h"

#include <QLocale>
#include <QTest>

class TestTokenNames : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void aTokenOfTheAnswerIsCountedFromOne();
    void whatIsNotKnownIsSaid();
    void aTokenNoModelChoseSaysWho();
    void promptTokensSayWhetherTheyWereReused();
    void beginningAndAnswerAreCountedApart();
    void aPieceWithPlaceholdersStaysAsItIs();
};

void TestTokenNames::aTokenOfTheAnswerIsCountedFromOne()
{
    tests::ToldAnswer told;
    for (int i = 0; i < 11; ++i)
        told.token("x");
    told.token(" Paris", 0.82, 1);
    const app::TokenTrack track(told.answer);
    QCOMPARE(ui::tokenName(track, track.promptCount() + 11),
        QString("token 12, ‘ Paris’, probability 82 %, rank 1"));
}

void TestTokenNames::whatIsNotKnownIsSaid()
{
    tests::ToldAnswer told;
    told.token(engine::TokenRecord { .id = 'x', .bytes = "x" });
    const app::TokenTrack track(told.answer);
    QCOMPARE(
        ui::tokenName(track, track.promptCount()), QString("token 1, ‘x’, probability not known"));
}

void TestTokenNames::aTokenNoModelChoseSaysWho()
{
    tests::ToldAnswer told;
    told.token(engine::TokenRecord { .id = 'x',
        .bytes = "x",
        .source = engine::TokenSource::Supplied,
        .logprob = 0.0F,
        .rank = 3 });
    const app::TokenTrack track(told.answer);
    QCOMPARE(ui::tokenName(track, track.promptCount()),
        QString("token 1, ‘x’, probability 100 %, rank 3, supplied"));
}

void TestTokenNames::promptTokensSayWhetherTheyWereReused()
{
    tests::ToldAnswer told;
    told.token("x");
    told.end(engine::StopReason::LengthCap, 1);
    const app::TokenTrack track(told.answer);
    QCOMPARE(
        ui::tokenName(track, 0), QString("prompt token 1, ‘<|im_start|>’, reused from the cache"));
    QCOMPARE(ui::tokenName(track, 1), QString("prompt token 2, ‘H’, read by this run"));
}

void TestTokenNames::beginningAndAnswerAreCountedApart()
{
    tests::ToldAnswer told({ 'H' }, { "So", engine::TokenSource::Typed, { 'S', 'o' } });
    told.token(",", 0.5, 2);
    const app::TokenTrack track(told.answer);
    QCOMPARE(ui::tokenName(track, 2), QString("begun token 2, ‘o’, typed"));
    QCOMPARE(ui::tokenName(track, 3), QString("token 1, ‘,’, probability 50 %, rank 2"));
}

void TestTokenNames::aPieceWithPlaceholdersStaysAsItIs()
{
    tests::ToldAnswer told;
    told.token(" %1%2", 0.5, 1);
    const app::TokenTrack track(told.answer);
    QCOMPARE(ui::tokenName(track, track.promptCount()),
        QString("token 1, ‘ %1%2’, probability 50 %, rank 1"));
}

QTEST_APPLESS_MAIN(TestTokenNames)
#include "tst_token_names.moc"
