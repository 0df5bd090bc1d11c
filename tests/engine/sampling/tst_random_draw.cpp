#include "engine/sampling/random_draw.h"

#include <QtTest>
#include <set>

using namespace engine;

class TestRandomDraw : public QObject {
    Q_OBJECT
private slots:
    void theSameSeedAndStepGiveTheSameNumberOnEveryPlatform()
    {
        // Right values worked out with Python's integers from the formula in the header.
        QCOMPARE(uniformDraw(0, 0), 0.6524484863740322);
        QCOMPARE(uniformDraw(42, 0), 0.34329192209867343);
        QCOMPARE(uniformDraw(42, 1), 0.9557467261317436);
        QCOMPARE(uniformDraw(0xFFFFFFFFFFFFFFFFu, 1000000), 0.4611314684076886);
    }
    void numbersFillTheUnitIntervalEvenly()
    {
        constexpr int kBins = 16;
        constexpr int kCount = 160000;
        int bins[kBins] = {};
        for (int step = 0; step < kCount; ++step) {
            const double uniform = uniformDraw(7, uint64_t(step));
            QVERIFY(uniform >= 0 && uniform < 1);
            ++bins[int(uniform * kBins)];
        }
        for (int count : bins) // expected 10,000 with a standard deviation of 97
            QVERIFY(count > 9500 && count < 10500);
    }
    void neighbouringSeedsShareNoSequence()
    {
        std::set<double> seen;
        for (uint64_t seed = 0; seed < 100; ++seed)
            for (uint64_t step = 0; step < 100; ++step)
                seen.insert(uniformDraw(seed, step));
        QCOMPARE(seen.size(), size_t(10000));
    }
};

QTEST_APPLESS_MAIN(TestRandomDraw)
#include "tst_random_draw.moc"
