#include "engine/kernels/rope_store.h"

#include "engine/model/rope_frequencies.h"
#include "engine/reference/operations.h"
#include "tests/engine/kernels/kv_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

namespace {
constexpr uint32_t kHeads = 3;
constexpr uint32_t kKvHeads = 2;
constexpr float kEpsilon = 1e-5f;
// The angle is composed of two rotations, each rounded to float32: 2^-22 of numbers below 4.
constexpr float kTolerance = 4e-6f;
// A half keeps 11 bits; the driver may round to nearest or towards zero.
constexpr float kHalfTolerance = 0x1p-10f;
}

class TestRopeStore : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

    static std::vector<double> frequencies(uint32_t headDim)
    {
        return ropeFrequencies(RopeSettings {}, headDim, {});
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void headsAreRotatedAndStoredInTheirPages_data()
    {
        QTest::addColumn<uint>("headDim");
        QTest::addColumn<bool>("normed");
        for (const uint headDim : { 8u, 64u, 80u, 256u }) {
            QTest::addRow("head dim %u", headDim) << headDim << false;
            QTest::addRow("head dim %u, normed", headDim) << headDim << true;
        }
    }
    void headsAreRotatedAndStoredInTheirPages()
    {
        QFETCH(uint, headDim);
        QFETCH(bool, normed);
        std::mt19937 random { headDim };
        // Around the borders of pages and of the fine rotation table; some far out.
        const std::vector<uint32_t> positions { 0, 1, 63, 64, 127, 255, 256, 257, 511, 512, 700 };
        tests::KvFixture kv(m_kernels,
            { .kvHeadCount = kKvHeads, .headDim = headDim, .pageCount = 14 }, 16, 2);
        kv.setTable(0, { 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2 });
        kv.setTable(1, { 13, 3, 11, 2, 12, 10, 5, 4, 8, 0, 6, 1 });
        kv.setPositions(positions, 1);

        // q, k and v start on columns of their own, as stacked matrices leave them.
        const uint32_t kOffset = (kHeads * headDim + 63) / 64 * 64;
        const uint32_t vOffset = kOffset + (kKvHeads * headDim + 63) / 64 * 64;
        const Matrix qkv
            = tests::randomMatrix(positions.size(), vOffset + kKvHeads * headDim, random);
        const Matrix norms = tests::randomMatrix(1, 2 * headDim, random);
        const Activations input = m_kernels.upload(qkv);
        const Activations normRow = need(uploadRow(m_kernels.device(), norms.row(0), "norms"));
        const Activations query = m_kernels.activations(positions.size(), kHeads * headDim);
        const RotationTable rotation
            = need(RotationTable::create(m_kernels.device(), frequencies(headDim), 768));
        const RopeStore operation = need(RopeStore::create(m_kernels.context(),
            { .qkv = input,
                .rows = kv.rows(),
                .rotation = rotation,
                .normWeights = normed ? &normRow : nullptr,
                .q = query,
                .pages = kv.pages(),
                .headCount = kHeads,
                .kOffset = kOffset,
                .vOffset = vOffset,
                .epsilon = kEpsilon }));
        m_kernels.run([&](vk::Recorder& recorder) {
            operation.record(recorder, uint32_t(positions.size()));
        });
        const Matrix q = m_kernels.download(query, positions.size());
        kv.readBack();

        for (size_t t = 0; t < positions.size(); ++t) {
            const auto heads = [&](uint32_t offset, uint32_t count) {
                Matrix part(1, count * headDim);
                std::ranges::copy(qkv.row(t).subspan(offset, part.columns), part.values.begin());
                return part;
            };
            const auto rotated = [&](Matrix part, uint32_t norm) {
                if (normed)
                    rmsNormHeads(part, norms.row(0).subspan(norm * headDim, headDim), kEpsilon);
                rope(part, frequencies(headDim), RopePairing::SplitHalf, positions[t]);
                return part;
            };
            Matrix got(1, kHeads * headDim);
            std::ranges::copy(q.row(t), got.values.begin());
            QVERIFY2(tests::largestDifference(got, rotated(heads(0, kHeads), 0)) <= kTolerance,
                qPrintable(QString("q at position %1").arg(positions[t])));

            const Matrix key = rotated(heads(kOffset, kKvHeads), 1);
            const Matrix value = heads(vOffset, kKvHeads);
            for (uint32_t column = 0; column < kKvHeads * headDim; ++column) {
                const float k = kv.key(1, positions[t], column);
                const float v = kv.value(1, positions[t], column);
                const float expectedK = key.values[column];
                const float expectedV = value.values[column];
                QVERIFY2(std::abs(k - expectedK)
                        <= std::max(kTolerance, kHalfTolerance * std::abs(expectedK)) + kTolerance,
                    qPrintable(
                        QString("k at position %1, column %2").arg(positions[t]).arg(column)));
                QVERIFY2(std::abs(v - expectedV)
                        <= std::max(kTolerance, kHalfTolerance * std::abs(expectedV)),
                    qPrintable(
                        QString("v at position %1, column %2").arg(positions[t]).arg(column)));
            }
        }
        // And nothing else was touched: not the other slots, nor another sequence's pages.
        QCOMPARE(kv.writtenNumberCount(), positions.size() * kKvHeads * headDim * 2);
    }

    void bitsOfARowAreTheSameForAnyNumberOfRows()
    {
        constexpr uint32_t kHeadDim = 64;
        std::mt19937 random { 4 };
        const Matrix qkv = tests::randomMatrix(5, 7 * kHeadDim, random);
        const std::vector<uint32_t> positions { 300, 301, 302, 303, 304 };
        const RotationTable rotation
            = need(RotationTable::create(m_kernels.device(), frequencies(kHeadDim), 512));
        const auto queries = [&](size_t first, size_t count) {
            tests::KvFixture kv(m_kernels,
                { .kvHeadCount = kKvHeads, .headDim = kHeadDim, .pageCount = 5 }, 8, 1);
            kv.setTable(0, { 0, 1, 2, 3, 4 });
            kv.setPositions({ positions.begin() + ptrdiff_t(first),
                positions.begin() + ptrdiff_t(first + count) });
            Matrix some(count, qkv.columns);
            std::ranges::copy(std::span(qkv.values).subspan(first * qkv.columns, count * qkv.columns),
                some.values.begin());
            const Activations input = m_kernels.upload(some);
            const Activations query = m_kernels.activations(count, kHeads * kHeadDim);
            const RopeStore operation = need(RopeStore::create(m_kernels.context(),
                { .qkv = input,
                    .rows = kv.rows(),
                    .rotation = rotation,
                    .q = query,
                    .pages = kv.pages(),
                    .headCount = kHeads,
                    .kOffset = kHeads * kHeadDim,
                    .vOffset = (kHeads + kKvHeads) * kHeadDim }));
            m_kernels.run(
                [&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(count)); });
            return m_kernels.download(query, count);
        };
        const Matrix all = queries(0, 5);
        for (size_t t = 0; t < 5; ++t)
            QVERIFY(tests::sameBits(queries(t, 1).row(0), all.row(t)));
    }
};

QTEST_GUILESS_MAIN(TestRopeStore)
#include "tst_rope_store.moc"
