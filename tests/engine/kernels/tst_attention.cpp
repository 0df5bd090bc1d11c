#include "engine/kernels/attention.h"

#include "engine/reference/operations.h"
#include "tests/engine/kernels/kv_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

namespace {
// Weights that add to one, times values below one; exp of the driver and sums of up to 320 terms in
// float32 against the reference's: about 1e-6 was seen.
constexpr float kTolerance = 2e-5f;
constexpr uint32_t kPositionCount = 320; // five pages, three splits
constexpr uint32_t kSplits = 3;

Matrix firstRows(const Matrix& matrix, size_t rows)
{
    Matrix result(rows, matrix.columns);
    std::ranges::copy(std::span(matrix.values).first(rows * matrix.columns), result.values.begin());
    return result;
}
}

class TestAttention : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

    /// A sequence of kPositionCount keys and values in scattered pages.
    struct Sequence {
        uint32_t headCount;
        uint32_t kvHeadCount;
        uint32_t headDim;
        Matrix keys;
        Matrix values;
        std::optional<tests::KvFixture> kv;
    };
    void fill(Sequence& s, size_t writtenPositions = kPositionCount)
    {
        std::mt19937 random { s.headCount * 100 + s.headDim };
        const size_t columns = size_t(s.kvHeadCount) * s.headDim;
        s.keys = tests::randomMatrix(writtenPositions, columns, random);
        s.values = tests::randomMatrix(writtenPositions, columns, random);
        s.kv.emplace(m_kernels,
            KvShape { .kvHeadCount = s.kvHeadCount, .headDim = s.headDim, .pageCount = 9 }, 16, 2);
        // Entries after the last page are stale: pages that nobody has written.
        s.kv->setTable(0, { 7, 0, 4, 2, 6, 8, 1 });
        s.kv->setTable(1, { 3, 5, 1 });
        s.kv->write(0, s.keys, s.values);
    }

    struct Asked {
        std::vector<uint32_t> positions;
        uint32_t window = 0;
        float scale = 0.125f;
        uint32_t splitCount = 0; ///< 0: of the last position
        uint32_t room = kSplits;
    };
    Matrix attended(Sequence& s, const Matrix& q, const Asked& asked)
    {
        const size_t count = asked.positions.size();
        s.kv->setPositions(asked.positions);
        const Activations query = m_kernels.upload(q);
        const Activations output = m_kernels.activations(count, q.columns);
        const vk::Buffer partial = need(vk::Buffer::create(m_kernels.device(),
            { .bytes = Attention::partialBytes(16, s.headCount, s.headDim, asked.room),
                .domain = vk::BufferDomain::Device,
                .purpose = "splits" }));
        const vk::TexelView partialFloats = need(vk::TexelView::create(
            m_kernels.device(), partial, { .format = vk::TexelFormat::Float1 }));
        const engine::AttentionOptions options { .q = query,
            .rows = s.kv->rows(),
            .pages = s.kv->pages(),
            .partial = partial,
            .partialFloats = partialFloats,
            .y = output,
            .headCount = s.headCount,
            .window = asked.window,
            .scale = asked.scale,
            .splitCount = asked.room };
        const Attention operation = need(Attention::create(m_kernels.context(), options));
        const uint32_t splitCount = asked.splitCount
            ? asked.splitCount
            : *std::ranges::max_element(asked.positions) / kSplitPositions + 1;
        m_kernels.run([&](vk::Recorder& recorder) {
            recorder.fill(partial, 0x7FC00000u); // what a split does not write must not be read
            recorder.barrier();
            operation.record(recorder, uint32_t(count), splitCount);
        });
        return m_kernels.download(output, count);
    }

    static Matrix expected(const Sequence& s, const Matrix& q, const Asked& asked)
    {
        Matrix result(q.rows, q.columns);
        for (size_t t = 0; t < q.rows; ++t) {
            Matrix row(1, q.columns);
            std::ranges::copy(q.row(t), row.values.begin());
            const Matrix keys = firstRows(s.keys, asked.positions[t] + 1);
            const Matrix values = firstRows(s.values, asked.positions[t] + 1);
            const Matrix y = attention({ .query = row,
                .key = keys,
                .value = values,
                .headCount = s.headCount,
                .kvHeadCount = s.kvHeadCount,
                .scale = asked.scale,
                .window = asked.window });
            std::ranges::copy(y.values, result.row(t).begin());
        }
        return result;
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void valuesAreThoseOfTheReference_data()
    {
        QTest::addColumn<uint>("group");
        QTest::addColumn<uint>("headDim");
        for (const uint group : { 1u, 2u, 3u, 4u, 7u, 8u })
            QTest::addRow("groups of %u", group) << group << 64u;
        QTest::newRow("head dim 8") << 3u << 8u;
        QTest::newRow("head dim 80") << 3u << 80u;
        QTest::newRow("head dim 256") << 4u << 256u;
    }
    void valuesAreThoseOfTheReference()
    {
        QFETCH(uint, group);
        QFETCH(uint, headDim);
        Sequence s { 2 * group, 2, headDim, {}, {}, {} };
        fill(s);
        std::mt19937 random { group };
        // The first position, and both sides of every border of pages and splits.
        const std::vector<uint32_t> positions { 0, 1, 63, 64, 65, 127, 128, 191, 192, 255, 256, 319 };
        Matrix q = tests::randomMatrix(positions.size(), s.headCount * headDim, random);
        for (const uint32_t window : { 0u, 1u, 5u, 64u, 100u, 128u, 129u, 300u, 5000u }) {
            const Asked asked { .positions = positions, .window = window };
            const float difference
                = tests::largestDifference(attended(s, q, asked), expected(s, q, asked));
            QVERIFY2(difference <= kTolerance,
                qPrintable(QString("window %1: %2").arg(window).arg(double(difference))));
        }
    }

    void sharpScoresDoNotOverflow()
    {
        Sequence s { 6, 2, 64, {}, {}, {} };
        fill(s);
        std::mt19937 random { 1 };
        Matrix q = tests::randomMatrix(4, 6 * 64, random);
        for (float& number : q.values)
            number *= 100.0f; // scores of some thousands: the largest takes all
        const Asked asked { .positions = { 70, 130, 300, 319 }, .scale = 1.0f };
        const float difference
            = tests::largestDifference(attended(s, q, asked), expected(s, q, asked));
        // A score of 2,000 in float32 is known to 2^-12 after 64 sums, and weights move as much.
        QVERIFY2(difference <= 2e-3f, qPrintable(QString::number(double(difference))));
    }

    void slotsThatNobodyWroteAreNotSeen()
    {
        // The sequence ends within its second page; the rest of it and all other pages are NaN.
        Sequence s { 6, 2, 64, {}, {}, {} };
        fill(s, 71);
        std::mt19937 random { 2 };
        const Matrix q = tests::randomMatrix(3, 6 * 64, random);
        for (const uint32_t window : { 0u, 3u }) {
            // More splits and more room than this row needs, as beside a longer sequence.
            const Asked asked {
                .positions = { 63, 69, 70 }, .window = window, .splitCount = 3
            };
            QVERIFY(tests::largestDifference(attended(s, q, asked), expected(s, q, asked))
                <= kTolerance);
        }
    }

    void bitsOfARowAreTheSameWhateverRunsBesideIt()
    {
        Sequence s { 6, 2, 64, {}, {}, {} };
        fill(s);
        std::mt19937 random { 3 };
        const std::vector<uint32_t> positions { 5, 64, 127, 128, 200, 319 };
        const Matrix q = tests::randomMatrix(positions.size(), 6 * 64, random);
        for (const uint32_t window : { 0u, 70u }) {
            const Matrix all = attended(s, q, { .positions = positions, .window = window });
            for (size_t t = 0; t < positions.size(); ++t) {
                Matrix row(1, q.columns);
                std::ranges::copy(q.row(t), row.values.begin());
                for (const uint32_t room : { 3u, 5u }) {
                    const Matrix alone = attended(
                        s, row, { .positions = { positions[t] }, .window = window, .room = room });
                    QVERIFY2(tests::sameBits(alone.row(0), all.row(t)),
                        qPrintable(QString("position %1, window %2, room %3")
                                       .arg(positions[t])
                                       .arg(window)
                                       .arg(room)));
                }
            }
        }
    }

    void sequencesReadTheirOwnPages()
    {
        Sequence s { 6, 2, 64, {}, {}, {} };
        fill(s);
        std::mt19937 random { 9 };
        const Matrix q = tests::randomMatrix(1, 6 * 64, random);
        const Asked asked { .positions = { 100 } };
        const Matrix before = attended(s, q, asked);
        // Another sequence writes its pages.
        Matrix keys = tests::randomMatrix(130, 2 * 64, random);
        Matrix values = tests::randomMatrix(130, 2 * 64, random);
        s.kv->write(1, keys, values);
        QVERIFY(tests::sameBits(attended(s, q, asked).values, before.values));
    }

    void numbersThatAreNotFiniteReachTheResult()
    {
        // A broken step must be noticed at the scores, not hidden behind a weight of zero.
        for (const bool inKeys : { false, true }) {
            Sequence s { 6, 2, 64, {}, {}, {} };
            fill(s);
            (inKeys ? s.keys : s.values).row(40)[3] = std::numeric_limits<float>::quiet_NaN();
            s.kv->write(0, s.keys, s.values);
            std::mt19937 random { 5 };
            const Matrix q = tests::randomMatrix(1, 6 * 64, random);
            const Matrix y = attended(s, q, { .positions = { 100 } });
            size_t nanCount = 0;
            for (const float number : y.values)
                nanCount += std::isnan(number);
            QVERIFY2(nanCount > 0, inKeys ? "keys" : "values");
        }
    }
};

QTEST_GUILESS_MAIN(TestAttention)
#include "tst_attention.moc"
