#include "engine/kernels/rms_norm.h"

#include "engine/reference/operations.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

namespace {
// One factor from a float32 sum of at most 640 squares (the reference sums in double), then two
// products: a few units in the last place of numbers near 3.
constexpr float kTolerance = 5e-6f;
}

class TestRmsNorm : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;
    std::optional<BatchRows> m_rows;

    struct Case {
        const Matrix& x;
        const Matrix& weight;
        float epsilon = 1e-5f;
        const Matrix* before = nullptr; ///< what is added to
        bool scoredOnly = false;
    };
    Matrix normed(const Case& c, size_t rows)
    {
        const Activations x = m_kernels.upload(c.x);
        const Activations weight = need(uploadRow(m_kernels.device(), c.weight.row(0), "weight"));
        const Activations y = c.before ? m_kernels.upload(*c.before)
                                       : m_kernels.activations(rows, c.x.columns);
        const RmsNorm norm = need(RmsNorm::create(m_kernels.context(),
            { .x = x,
                .weight = weight,
                .y = y,
                .epsilon = c.epsilon,
                .rows = *m_rows,
                .adds = c.before != nullptr,
                .scoredOnly = c.scoredOnly }));
        m_kernels.run([&](vk::Recorder& recorder) { norm.record(recorder, uint32_t(rows)); });
        m_paddingFaults = m_kernels.paddingFaults(y, rows);
        return m_kernels.download(y, rows);
    }
    size_t m_paddingFaults = 0;

private slots:
    void initTestCase()
    {
        QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem()));
        m_rows = need(BatchRows::create(
            m_kernels.device(), { .rowCount = 16, .tableCount = 1, .tablePages = 1 }));
    }
    void cleanupTestCase()
    {
        m_rows.reset();
        QCOMPARE(m_kernels.close(), QString());
    }

    void rowsAreThoseOfTheReference_data()
    {
        QTest::addColumn<int>("columns");
        for (const int columns : { 4, 40, 64, 100, 576, 640 })
            QTest::addRow("%d columns", columns) << columns;
    }
    void rowsAreThoseOfTheReference()
    {
        QFETCH(int, columns);
        std::mt19937 random { uint32_t(columns) + 1 };
        const Matrix x = tests::randomMatrix(7, size_t(columns), random);
        const Matrix weight = tests::randomMatrix(1, size_t(columns), random);
        const Matrix y = normed({ .x = x, .weight = weight }, 7);
        const float difference
            = tests::largestDifference(y, rmsNormRows(x, weight.row(0), 1e-5f));
        QVERIFY2(difference <= kTolerance, qPrintable(QString::number(double(difference))));
        QCOMPARE(m_paddingFaults, size_t(0));
    }

    void epsilonCountsWhereNumbersAreSmallAndZerosStayZeros()
    {
        std::mt19937 random(5);
        Matrix x = tests::randomMatrix(3, 100, random);
        for (float& value : x.row(1))
            value *= 1e-4f;
        std::ranges::fill(x.row(2), 0.0f);
        const Matrix weight = tests::randomMatrix(1, 100, random);
        for (const float epsilon : { 1e-6f, 1e-2f }) {
            const Matrix y = normed({ .x = x, .weight = weight, .epsilon = epsilon }, 3);
            QVERIFY(tests::largestDifference(y, rmsNormRows(x, weight.row(0), epsilon))
                <= kTolerance);
            for (const float value : y.row(2))
                QCOMPARE(value, 0.0f);
        }
    }

    void postNormsAreAddedToTheResidual()
    {
        std::mt19937 random(6);
        const Matrix x = tests::randomMatrix(5, 200, random);
        const Matrix weight = tests::randomMatrix(1, 200, random);
        const Matrix before = tests::randomMatrix(5, 200, random);
        Matrix expected = rmsNormRows(x, weight.row(0), 1e-5f);
        add(expected, before);
        const Matrix y = normed({ .x = x, .weight = weight, .before = &before }, 5);
        QVERIFY(tests::largestDifference(y, expected) <= kTolerance);
    }

    void scoredRowsAreTakenFromTheirPlaceInTheBatch()
    {
        std::mt19937 random(8);
        const Matrix x = tests::randomMatrix(9, 72, random);
        const Matrix weight = tests::randomMatrix(1, 72, random);
        const std::vector<uint32_t> scored { 8, 0, 5 };
        m_rows->setScoredRows(scored);
        const Matrix all = normed({ .x = x, .weight = weight }, 9);
        const Matrix some = normed({ .x = x, .weight = weight, .scoredOnly = true }, 3);
        for (size_t i = 0; i < scored.size(); ++i)
            QVERIFY(tests::sameBits(some.row(i), all.row(scored[i])));
    }

    void aRowDoesNotDependOnTheOthers()
    {
        std::mt19937 random(9);
        Matrix x = tests::randomMatrix(6, 576, random);
        const Matrix weight = tests::randomMatrix(1, 576, random);
        const Matrix before = normed({ .x = x, .weight = weight }, 6);
        std::ranges::fill(x.row(2), std::numeric_limits<float>::quiet_NaN());
        const Matrix after = normed({ .x = x, .weight = weight }, 6);
        for (const size_t row : { 0, 1, 3, 4, 5 })
            QVERIFY(tests::sameBits(after.row(row), before.row(row)));
        // And what is not finite stays visible: it must reach the scores, where it is noticed.
        for (const float value : after.row(2))
            QVERIFY(std::isnan(value));
    }
};

QTEST_GUILESS_MAIN(TestRmsNorm)
#include "tst_rms_norm.moc"
