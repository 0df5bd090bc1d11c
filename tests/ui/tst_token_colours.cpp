#include "tests/ui/told_answer.h"
#include "ui/inspect/token_colours.h"
#include "ui/theme/theme.h"
#include "ui/theme/value_scale.h"

#include <QTest>

using ui::TokenColours;
using ui::TokenMeasure;

class TestTokenColours : public QObject {
    Q_OBJECT
private slots:
    void theSameValueSetsColourAndHeight();
    void anUnknownValueHasNoTint();
    void aValueBeyondTheScaleIsItsEnd();
    void whatIsWorthALookIsBlue();
    void everyMeasureTintsAnObservedToken();

private:
    const QPalette m_palette = ui::paletteFor(ui::Appearance::Light, {});
};

void TestTokenColours::theSameValueSetsColourAndHeight()
{
    tests::ToldAnswer told;
    told.token("a", 1);
    told.token("b", 0.5);
    told.token("c", 0.0001);
    const app::TokenTrack track(told.answer);
    const TokenColours colours(m_palette);
    double before = 4;
    QColor colourBefore;
    for (int i = track.promptCount(); i < int(track.tokens().size()); ++i) {
        const ui::TokenTint tint = colours.tintOf(track, i);
        QVERIFY(TokenColours::underlineHeight(tint) < before);
        QVERIFY(colours.colour(tint) != colourBefore);
        before = TokenColours::underlineHeight(tint);
        colourBefore = colours.colour(tint);
    }
    const int first = track.promptCount();
    QCOMPARE(TokenColours::underlineHeight(colours.tintOf(track, first)), 3.0);
}

void TestTokenColours::anUnknownValueHasNoTint()
{
    tests::ToldAnswer told;
    told.token(engine::TokenRecord { .id = 'x', .bytes = "x" });
    const app::TokenTrack track(told.answer);
    const TokenColours colours(m_palette);
    for (int i = 0; i < int(track.tokens().size()); ++i) {
        const ui::TokenTint tint = colours.tintOf(track, i);
        QVERIFY(!tint.share);
        QVERIFY(!colours.colour(tint).isValid());
        QCOMPARE(TokenColours::underlineHeight(tint), 0.0);
    }
}

void TestTokenColours::aValueBeyondTheScaleIsItsEnd()
{
    tests::ToldAnswer told;
    told.token("x", 1e-20, 40'000);
    const app::TokenTrack track(told.answer);
    const int token = track.promptCount();
    for (const TokenMeasure measure : { TokenMeasure::Surprisal, TokenMeasure::Rank }) {
        const TokenColours colours(m_palette, measure);
        QCOMPARE(*colours.tintOf(track, token).share, 1.0);
    }
}

void TestTokenColours::whatIsWorthALookIsBlue()
{
    tests::ToldAnswer told;
    told.token("x", 0.0001, 900);
    const app::TokenTrack track(told.answer);
    const int token = track.promptCount();
    const ui::ValueScale scale = ui::ValueScale::of(m_palette);
    for (const TokenMeasure measure :
        { TokenMeasure::Probability, TokenMeasure::Surprisal, TokenMeasure::Rank }) {
        const TokenColours colours(m_palette, measure);
        const QColor colour = colours.colour(colours.tintOf(track, token));
        QVERIFY(colour.blue() > scale.colour(0.2).blue());
    }
}

void TestTokenColours::everyMeasureTintsAnObservedToken()
{
    tests::ToldAnswer told;
    told.token("x", 0.3, 2);
    told.token("x", 0.3, 2);
    const app::TokenTrack track(told.answer);
    const int token = track.promptCount() + 1; // the first has no time
    for (const ui::TokenMeasureInfo& info : ui::tokenMeasures()) {
        const TokenColours colours(m_palette, info.measure);
        QVERIFY2(colours.tintOf(track, token).share, info.key);
    }
}

QTEST_MAIN(TestTokenColours)
#include "tst_token_colours.moc"
