#include "engine/sampling/scan_scores.h"

#include "engine/sampling/score_scan.h"
#include "engine/vulkan/transfer.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace engine;
using tests::need;

namespace {
// exp in f32, summed over blocks of 64, then over a lane's blocks.
constexpr double kTolerance = 1e-5;
constexpr size_t kGroupScores = size_t(ScanScores::kBlockScores) * ScanScores::kGroupBlocks;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
}

/// Maxima and sums of scores on the device against those of the host.
class TestScanScores : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

    struct Scan {
        std::vector<float> blocks;
        std::vector<std::array<float, 4>> groups;
    };
    Scan scan(const Matrix& scores)
    {
        const Activations row = m_kernels.upload(scores);
        const ScanScores kernel = need(ScanScores::create(
            m_kernels.context(), { .scores = row, .scoreCount = uint32_t(scores.columns) }));
        m_kernels.run([&](vk::Recorder& recorder) { kernel.record(recorder); });
        Scan result;
        const auto blocks
            = need(vk::readBuffer(m_kernels.device(), kernel.blocks(), 0, kernel.blocks().bytes()));
        result.blocks.resize(blocks.size() / sizeof(float));
        std::memcpy(result.blocks.data(), blocks.data(), blocks.size());
        const auto sums
            = need(vk::readBuffer(m_kernels.device(), kernel.groupBuffer(), 0, kernel.groupCount() * 16));
        result.groups.resize(kernel.groupCount());
        std::memcpy(result.groups.data(), sums.data(), sums.size());
        return result;
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void maximaAndSumsAreThoseOfTheHost_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : { 1, 2, 3, 4, 5, 63, 64, 65, 100, 1000, 4095, 4096, 4097, 49152, 50001 })
            QTest::addRow("%d scores", count) << count;
    }
    void maximaAndSumsAreThoseOfTheHost()
    {
        QFETCH(int, count);
        std::mt19937 random { uint32_t(count) };
        Matrix scores = tests::randomMatrix(1, size_t(count), random);
        for (float& score : scores.values)
            score = score * 20 - 30; // padding reads as zero and would be the largest
        const Scan found = scan(scores);
        const std::span<const float> all = scores.row(0);
        for (size_t g = 0; g < found.groups.size(); ++g) {
            const auto group = all.subspan(
                g * kGroupScores, std::min(kGroupScores, all.size() - g * kGroupScores));
            ScoreMaxima maxima;
            scanMaxima(group, maxima);
            const ScoreMass mass = scanMass(group, maxima.best);
            for (size_t b = 0; b < maxima.blocks.size(); ++b)
                QCOMPARE(found.blocks[g * ScanScores::kGroupBlocks + b], maxima.blocks[b]);
            QCOMPARE(found.groups[g][0], maxima.best);
            QVERIFY(std::abs(double(found.groups[g][1]) - mass.mass) <= kTolerance * mass.mass);
            QVERIFY(std::abs(double(found.groups[g][2]) - mass.weighted)
                <= kTolerance * (std::abs(mass.weighted) + mass.mass));
            QCOMPARE(found.groups[g][3], 0.0f);
        }
    }

    void whatIsNotFiniteIsNoticedInItsGroup_data()
    {
        QTest::addColumn<float>("fault");
        QTest::addColumn<int>("index");
        for (const int index : { 0, 4095, 4096, 4999 }) {
            QTest::addRow("NaN at %d", index) << std::numeric_limits<float>::quiet_NaN() << index;
            QTest::addRow("infinity at %d", index) << kInfinity << index;
            QTest::addRow("minus infinity at %d", index) << -kInfinity << index;
        }
    }
    void whatIsNotFiniteIsNoticedInItsGroup()
    {
        QFETCH(float, fault);
        QFETCH(int, index);
        std::mt19937 random(3);
        Matrix scores = tests::randomMatrix(1, 5000, random);
        scores.values[size_t(index)] = fault;
        const Scan found = scan(scores);
        QCOMPARE(found.groups.size(), size_t(2));
        for (size_t g = 0; g < 2; ++g)
            QCOMPARE(found.groups[g][3], size_t(index) / kGroupScores == g ? 1.0f : 0.0f);
    }

    void theLargestAndSmallestNumbersCountAsTheyAre()
    {
        const float most = std::numeric_limits<float>::max();
        Matrix scores(1, 70);
        std::ranges::fill(scores.values, -most);
        Scan found = scan(scores);
        QCOMPARE(found.groups[0][0], -most);
        QVERIFY(std::abs(found.groups[0][1] - 70.0f) < 1e-4f);
        QCOMPARE(found.groups[0][3], 0.0f);
        scores.values[66] = most;
        found = scan(scores);
        QCOMPARE(found.groups[0][0], most);
        QCOMPARE(found.groups[0][1], 1.0f);
        QVERIFY(std::isfinite(found.groups[0][2]));
    }
};

QTEST_GUILESS_MAIN(TestScanScores)
#include "tst_scan_scores.moc"
