#include "engine/base/half.h"

#include <QtTest>
#include <cmath>

using namespace engine;

class TestHalf : public QObject {
    Q_OBJECT
private slots:
    void everyHalfSurvivesTheRoundTrip()
    {
        for (uint32_t half = 0; half < 0x10000; ++half) {
            const float value = halfToFloat(uint16_t(half));
            if (std::isnan(value))
                continue;
            QCOMPARE(floatToHalf(value), uint16_t(half));
        }
    }
    void tiesGoToEven()
    {
        QCOMPARE(floatToHalf(1.0f + 0x1p-11f), uint16_t(0x3C00)); // halfway to the next: even is 1.0
        QCOMPARE(floatToHalf(1.0f + 3 * 0x1p-11f), uint16_t(0x3C02));
        QCOMPARE(floatToHalf(0x1p-25f), uint16_t(0)); // half of the smallest subnormal
        QCOMPARE(floatToHalf(0x1.8p-25f), uint16_t(1));
    }
    void tooLargeBecomesInfinity()
    {
        QCOMPARE(floatToHalf(65519.0f), uint16_t(0x7BFF));
        QCOMPARE(floatToHalf(65520.0f), uint16_t(0x7C00));
        QCOMPARE(floatToHalf(-1e30f), uint16_t(0xFC00));
    }
};

QTEST_APPLESS_MAIN(TestHalf)
#include "tst_half.moc"
