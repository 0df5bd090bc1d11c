#include "engine/kernels/matmul.h"

#include "engine/reference/operations.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

class TestMatmul : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

    /// A sum of float32 products differs from the reference's by the order of summation only:
    /// k * 2^-24 of the sum of magnitudes at the very most. Four times that, as a scale and a
    /// constant are summed apart from the quants.
    static float tolerance(const Weight& weight, const Matrix& x)
    {
        std::vector<float> row(weight.columns());
        float magnitudes = 0.0f;
        for (size_t r = 0; r < weight.rows(); ++r) {
            weight.readRow(r, row);
            float sum = 0.0f;
            for (const float value : row)
                sum += std::abs(value);
            magnitudes = std::max(magnitudes, sum);
        }
        return 4.0f * float(weight.columns()) * 0x1p-24f * magnitudes * tests::largestMagnitude(x);
    }

    Matrix product(const WeightMatrix& weights, const Matrix& x)
    {
        const Activations input = m_kernels.upload(x);
        const Activations output = m_kernels.activations(x.rows, weights.paddedRows());
        const Matmul matmul = need(
            Matmul::create(m_kernels.context(), { .weights = weights, .x = input, .y = output }));
        m_kernels.run(
            [&](vk::Recorder& recorder) { matmul.record(recorder, uint32_t(x.rows)); });
        return m_kernels.download(output, x.rows);
    }

    static Matrix firstColumns(const Matrix& matrix, size_t columns)
    {
        Matrix result(matrix.rows, columns);
        for (size_t row = 0; row < matrix.rows; ++row)
            std::ranges::copy(matrix.row(row).first(columns), result.row(row).begin());
        return result;
    }
    static Matrix firstRows(const Matrix& matrix, size_t rows)
    {
        Matrix result(rows, matrix.columns);
        std::ranges::copy(
            std::span(matrix.values).first(rows * matrix.columns), result.values.begin());
        return result;
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void productsAreThoseOfTheReference_data() { tests::addWeightTypeRows(); }
    void productsAreThoseOfTheReference()
    {
        QFETCH(int, type);
        const uint32_t quantBlock = tensorTypeInfo(TensorType(type)).valuesPerQuantBlock;
        std::mt19937 random { uint32_t(type) };
        // Rows that fill no tile, one tile, and several; columns that fill no group of 64.
        const size_t oddColumns = quantBlock == 1 ? 83 : size_t(quantBlock) * 3;
        for (const size_t rows : { 1, 64, 200 })
            for (const size_t columns : { size_t(256), oddColumns }) {
                const auto tensor
                    = tests::HostTensor::random(TensorType(type), rows, columns, random);
                const WeightMatrix weights
                    = tests::deviceWeights(m_kernels.device(), { &tensor });
                const Weight weight = tensor.weight();
                for (const size_t tokens : { 1, 6 }) {
                    const Matrix x = tests::randomMatrix(tokens, columns, random);
                    const Matrix y = product(weights, x);
                    const float difference
                        = tests::largestDifference(firstColumns(y, rows), matmul(weight, x));
                    QVERIFY2(difference <= tolerance(weight, x),
                        qPrintable(QString("%1 x %2, %3 tokens: %4, allowed %5")
                                       .arg(rows)
                                       .arg(columns)
                                       .arg(tokens)
                                       .arg(double(difference))
                                       .arg(double(tolerance(weight, x)))));
                    // Rows of padding are zeros: the next operation relies on it.
                    for (size_t t = 0; t < tokens; ++t)
                        for (size_t row = rows; row < weights.paddedRows(); ++row)
                            QCOMPARE(y.row(t)[row], 0.0f);
                }
            }
    }

    void bitsOfARowAreTheSameForAnyNumberOfTokens_data() { tests::addWeightTypeRows(); }
    void bitsOfARowAreTheSameForAnyNumberOfTokens()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) + 100 };
        const auto tensor = tests::HostTensor::random(TensorType(type), 130, 512, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &tensor });
        const Matrix x = tests::randomMatrix(9, 512, random);
        const Matrix all = product(weights, x);
        for (size_t tokens = 1; tokens < 9; ++tokens) {
            const Matrix some = product(weights, firstRows(x, tokens));
            for (size_t t = 0; t < tokens; ++t)
                QVERIFY2(tests::sameBits(some.row(t), all.row(t)),
                    qPrintable(QString("%1 tokens, row %2").arg(tokens).arg(t)));
        }
        // And alone, as a decode step reads it, at any place.
        for (size_t t = 0; t < x.rows; ++t) {
            Matrix alone(1, x.columns);
            std::ranges::copy(x.row(t), alone.values.begin());
            QVERIFY2(tests::sameBits(product(weights, alone).row(0), all.row(t)),
                qPrintable(QString("row %1 alone").arg(t)));
        }
    }

    void slabsGiveTheSameBitsAsOneBuffer_data() { tests::addWeightTypeRows(); }
    void slabsGiveTheSameBitsAsOneBuffer()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) + 200 };
        const auto first = tests::HostTensor::random(TensorType(type), 200, 256, random);
        const auto second = tests::HostTensor::random(TensorType(type), 70, 256, random);
        const Matrix x = tests::randomMatrix(5, 256, random);
        const WeightMatrix one = tests::deviceWeights(m_kernels.device(), { &first, &second });
        QCOMPARE(one.slabs().size(), size_t(1));
        const Matrix expected = product(one, x);
        // The second tensor starts on a tile of its own.
        QCOMPARE(one.partOffset(1), 256u);
        Matrix part(5, 70);
        for (size_t t = 0; t < 5; ++t)
            std::ranges::copy(expected.row(t).subspan(256, 70), part.row(t).begin());
        QVERIFY(tests::largestDifference(part, matmul(second.weight(), x))
            <= tolerance(second.weight(), x));
        for (const uint32_t slabTiles : { 1u, 4u, 5u }) {
            const WeightMatrix cut
                = tests::deviceWeights(m_kernels.device(), { &first, &second }, slabTiles);
            QCOMPARE(cut.slabs().size(), size_t((6 + slabTiles - 1) / slabTiles));
            QVERIFY2(tests::sameBits(product(cut, x).values, expected.values),
                qPrintable(QString("slabs of %1 tiles").arg(slabTiles)));
        }
    }

    void productsAreAddedAndBiasedAtTheirPlace()
    {
        std::mt19937 random(7);
        const auto tensor = tests::HostTensor::random(TensorType::Q4_1, 100, 192, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &tensor }, 1);
        const Matrix x = tests::randomMatrix(5, 192, random);
        const Matrix before = tests::randomMatrix(5, 64 + 128 + 64, random);
        const Matrix bias = tests::randomMatrix(1, weights.paddedRows(), random);
        const Activations input = m_kernels.upload(x);
        const Activations biasRow = need(uploadRow(m_kernels.device(), bias.row(0), "bias"));
        const Matrix plain = matmul(tensor.weight(), x);
        for (const bool adds : { false, true })
            for (const bool biased : { false, true }) {
                const Activations output = m_kernels.upload(before);
                const Matmul operation = need(Matmul::create(m_kernels.context(),
                    { .weights = weights,
                        .x = input,
                        .y = output,
                        .yOffset = 64,
                        .adds = adds,
                        .bias = biased ? &biasRow : nullptr }));
                m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, 5); });
                const Matrix y = m_kernels.download(output, 5);
                Matrix expected = before;
                for (size_t t = 0; t < 5; ++t)
                    for (size_t row = 0; row < 128; ++row)
                        expected.row(t)[64 + row] = (adds ? before.row(t)[64 + row] : 0.0f)
                            + (biased ? bias.row(0)[row] : 0.0f)
                            + (row < 100 ? plain.row(t)[row] : 0.0f);
                QVERIFY2(tests::largestDifference(y, expected)
                        <= tolerance(tensor.weight(), x) + 2 * 0x1p-23f, // two more sums near 1
                    qPrintable(QString("adds %1, biased %2").arg(adds).arg(biased)));
            }
    }
};

QTEST_GUILESS_MAIN(TestMatmul)
#include "tst_matmul.moc"
