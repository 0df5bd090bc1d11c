#include "ui/theme/theme.h"
#include "ui/theme/value_scale.h"

#include <QTest>

#include <cmath>

using ui::Appearance;
using ui::ValueScale;

namespace {

struct Linear {
    double r, g, b;
};
struct Lab {
    double l, a, b;
};

Linear linear(const QColor& colour)
{
    const auto channel = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return { channel(colour.redF()), channel(colour.greenF()), channel(colour.blueF()) };
}

Lab lab(const Linear& c)
{
    const auto curve
        = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = curve((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.9505);
    const double y = curve(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b);
    const double z = curve((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.089);
    return { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

double distance(const Lab& a, const Lab& b) { return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b); }

/// How people without one kind of cone see it: Machado, Oliveira and Fernandes 2009, severity 1.
Linear seenWithout(char cone, const Linear& c)
{
    if (cone == 'L')
        return { 0.152286 * c.r + 1.052583 * c.g - 0.204868 * c.b,
            0.114503 * c.r + 0.786281 * c.g + 0.099216 * c.b,
            -0.003882 * c.r - 0.048116 * c.g + 1.051998 * c.b };
    return { 0.367322 * c.r + 0.860646 * c.g - 0.227968 * c.b,
        0.280085 * c.r + 0.672501 * c.g + 0.047413 * c.b,
        -0.011820 * c.r + 0.042940 * c.g + 0.968881 * c.b };
}

QColor step(const ValueScale& scale, int i)
{
    return scale.colour(double(i) / (ValueScale::kStepCount - 1));
}

}

class TestValueScale : public QObject {
    Q_OBJECT
private slots:
    void init_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textCanBeReadOnEveryColour_data() { init_data(); }
    void textCanBeReadOnEveryColour();
    void equalStepsLookEqual_data() { init_data(); }
    void equalStepsLookEqual();
    void redGreenBlindnessChangesLittle_data() { init_data(); }
    void redGreenBlindnessChangesLittle();
    void valuesBeyondTheEndsAreTheEnds();
    void aPersonsOwnPaletteStaysReadable();

private:
    static QPalette palette()
    {
        QFETCH(bool, isDark);
        return ui::paletteFor(isDark ? Appearance::Dark : Appearance::Light, {});
    }
};

void TestValueScale::textCanBeReadOnEveryColour()
{
    const ValueScale scale = ValueScale::of(palette());
    const ui::Theme theme = ui::Theme::of(palette());
    for (int i = 0; i < ValueScale::kStepCount; ++i)
        QVERIFY2(ui::contrastRatio(step(scale, i), theme.text) >= 4.5,
            qPrintable(QString("step %1: %2").arg(i).arg(step(scale, i).name())));
}

void TestValueScale::equalStepsLookEqual()
{
    const ValueScale scale = ValueScale::of(palette());
    constexpr int kStride = 4; // colours have 8 bits a channel: single steps are rounded
    const auto at = [&](int i) { return lab(linear(step(scale, i))); };
    const double whole = distance(at(0), at(ValueScale::kStepCount - 1));
    const double even = whole * kStride / (ValueScale::kStepCount - 1);
    QVERIFY(whole > 40); // far more than can just be told apart (about 2)
    for (int i = kStride; i < ValueScale::kStepCount; i += kStride) {
        const double here = distance(at(i - kStride), at(i));
        QVERIFY2(
            std::abs(here - even) < 0.25 * even, qPrintable(QString("%1: %2").arg(i).arg(here)));
        QVERIFY(at(i).l > at(i - kStride).l);
    }
}

void TestValueScale::redGreenBlindnessChangesLittle()
{
    const ValueScale scale = ValueScale::of(palette());
    const int last = ValueScale::kStepCount - 1;
    const double whole = distance(lab(linear(step(scale, 0))), lab(linear(step(scale, last))));
    for (const char cone : { 'L', 'M' }) {
        const auto at = [&](int i) { return lab(seenWithout(cone, linear(step(scale, i)))); };
        QVERIFY(distance(at(0), at(last)) > 0.8 * whole);
        for (int i = 8; i <= last; i += 8)
            QVERIFY(at(i).l > at(i - 8).l);
    }
}

void TestValueScale::valuesBeyondTheEndsAreTheEnds()
{
    const ValueScale scale = ValueScale::of(ui::paletteFor(Appearance::Light, {}));
    QCOMPARE(scale.colour(-1), scale.colour(0));
    QCOMPARE(scale.colour(7), scale.colour(1));
    QVERIFY(scale.colour(0) != scale.colour(1));
}

void TestValueScale::aPersonsOwnPaletteStaysReadable()
{
    QPalette odd;
    odd.setColor(QPalette::Base, QColor(0xff, 0xf0, 0xf0));
    odd.setColor(QPalette::Text, QColor(0x60, 0x50, 0x50)); // paler than ours
    const ValueScale scale = ValueScale::of(odd);
    for (int i = 0; i < ValueScale::kStepCount; ++i)
        QVERIFY(ui::contrastRatio(step(scale, i), odd.color(QPalette::Text)) >= 4.5);
}

QTEST_APPLESS_MAIN(TestValueScale)
#include "tst_value_scale.moc"
