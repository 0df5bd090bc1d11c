#include "engine/kernels/normed_products.h"

#include "engine/reference/operations.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

namespace {
// Sums of 256 terms in another order, and a norm whose factor is applied after the sum instead of
// before it: a few 1e-5 of the result's size.
constexpr float kTolerance = 2e-4f;
constexpr float kEpsilon = 1e-5f;
constexpr size_t kColumns = 256;

/// The residual stream on the device, and the same on the host.
struct Stream {
    Matrix values;
    Activations residual;
    Activations scaled;
    Activations squares;
    ResidualStream stream;

    Stream(tests::KernelFixture& kernels, const Matrix& start)
        : values(start)
        , residual(kernels.upload(start))
        , scaled(kernels.activations(start.rows, start.columns))
        , squares(kernels.activations(start.rows, squaresOf(kernels, start.columns)))
        , stream { residual, scaled, squares, squaresOf(kernels, start.columns), kEpsilon }
    {
    }
    static uint32_t squaresOf(tests::KernelFixture& kernels, size_t columns)
    {
        return MatmulResidual::squaresCount(uint32_t((columns + 63) / 64 * 64), kernels.context().lanes());
    }
};
}

/// RMSNorms that are spread over the kernels around them.
class TestNormedProducts : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

    static bool near(const Matrix& a, const Matrix& b)
    {
        const float allowed = kTolerance * std::max(1.0f, tests::largestMagnitude(b));
        const float difference = tests::largestDifference(a, b);
        if (difference > allowed)
            qWarning("differs by %g, allowed %g", double(difference), double(allowed));
        return difference <= allowed;
    }

    void start(const Stream& stream, const Activations& weight)
    {
        const ResidualStart operation = need(
            ResidualStart::create(m_kernels.context(), { .stream = stream.stream, .weight = weight }));
        m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(stream.values.rows)); });
    }

    Matrix normedProduct(const Stream& stream, const WeightMatrix& weights, size_t rows,
        const std::vector<uint32_t>& scored = {})
    {
        BatchRows batch = need(
            BatchRows::create(m_kernels.device(), { .rowCount = 16, .tableCount = 1, .tablePages = 2 }));
        batch.setScoredRows(scored);
        const size_t tokens = scored.empty() ? stream.values.rows : scored.size();
        const Activations y = m_kernels.activations(tokens, rows);
        const MatmulNormed operation = need(MatmulNormed::create(m_kernels.context(),
            { .weights = weights, .stream = stream.stream, .rows = batch, .y = y, .scoredOnly = !scored.empty() }));
        m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(tokens)); });
        return m_kernels.download(y, tokens);
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void productsOfANormedRowAreThoseOfTheReference_data() { tests::addWeightTypeRows(); }
    void productsOfANormedRowAreThoseOfTheReference()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) };
        const Matrix normWeight = tests::randomMatrix(1, kColumns, random);
        const Activations weight = m_kernels.upload(normWeight);
        const auto tensor = tests::HostTensor::random(TensorType(type), 200, kColumns, random);
        for (const uint32_t slabTiles : { 0u, 2u }) {
            const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &tensor }, slabTiles);
            for (const size_t tokens : { 1, 6 }) {
                const Stream stream(m_kernels, tests::randomMatrix(tokens, kColumns, random));
                start(stream, weight);
                const Matrix normed = rmsNormRows(stream.values, normWeight.row(0), kEpsilon);
                QVERIFY(near(normedProduct(stream, weights, 200), matmul(tensor.weight(), normed)));
            }
        }
    }

    void gateAndUpOfANormedRowAreThoseOfTheReference_data() { tests::addWeightTypeRows(); }
    void gateAndUpOfANormedRowAreThoseOfTheReference()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) + 50 };
        const Matrix normWeight = tests::randomMatrix(1, kColumns, random);
        const Activations weight = m_kernels.upload(normWeight);
        const auto gate = tests::HostTensor::random(TensorType(type), 150, kColumns, random);
        const auto up = tests::HostTensor::random(TensorType(type), 150, kColumns, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &gate, &up });
        const bool gelu = TensorType(type) == TensorType::Q8_0; // the activation follows the sums: one type shows it
        for (const size_t tokens : { 1, 5 }) {
            const Stream stream(m_kernels, tests::randomMatrix(tokens, kColumns, random));
            start(stream, weight);
            const Matrix normed = rmsNormRows(stream.values, normWeight.row(0), kEpsilon);
            const Matrix expected = gated(gelu ? Activation::GeluTanh : Activation::Silu,
                matmul(gate.weight(), normed), matmul(up.weight(), normed));
            const Activations y = m_kernels.activations(tokens, 150);
            const GateUpNormed operation = need(GateUpNormed::create(
                m_kernels.context(), { .weights = weights, .stream = stream.stream, .y = y, .gelu = gelu }));
            m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(tokens)); });
            QVERIFY(near(m_kernels.download(y, tokens), expected));
            QCOMPARE(m_kernels.paddingFaults(y, tokens), size_t(0));
        }
    }

    void branchesEndInTheResidualAndItsNextNorm_data() { tests::addWeightTypeRows(); }
    void branchesEndInTheResidualAndItsNextNorm()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) + 100 };
        const Matrix firstWeight = tests::randomMatrix(1, kColumns, random);
        const Matrix nextWeight = tests::randomMatrix(1, kColumns, random);
        const Activations first = m_kernels.upload(firstWeight);
        const Activations next = m_kernels.upload(nextWeight);
        const auto branch = tests::HostTensor::random(TensorType(type), kColumns, kColumns, random);
        const auto after = tests::HostTensor::random(TensorType::Q4_1, 64, kColumns, random);
        const WeightMatrix branchWeights = tests::deviceWeights(m_kernels.device(), { &branch });
        const WeightMatrix afterWeights = tests::deviceWeights(m_kernels.device(), { &after });
        for (const size_t tokens : { 1, 7 }) {
            Stream stream(m_kernels, tests::randomMatrix(tokens, kColumns, random));
            start(stream, first);
            const Matrix x = tests::randomMatrix(tokens, kColumns, random);
            const Activations input = m_kernels.upload(x);
            const MatmulResidual operation = need(MatmulResidual::create(m_kernels.context(),
                { .weights = branchWeights, .x = input, .stream = stream.stream, .nextWeight = next }));
            m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(tokens)); });
            add(stream.values, matmul(branch.weight(), x));
            QVERIFY(near(m_kernels.download(stream.residual, tokens), stream.values));
            const Matrix normed = rmsNormRows(stream.values, nextWeight.row(0), kEpsilon);
            QVERIFY(near(normedProduct(stream, afterWeights, 64), matmul(after.weight(), normed)));
        }
    }

    void bitsOfARowAreTheSameForAnyNumberOfTokens()
    {
        std::mt19937 random(7);
        const Activations weight = m_kernels.upload(tests::randomMatrix(1, kColumns, random));
        const auto tensor = tests::HostTensor::random(TensorType::Q4_1, kColumns, kColumns, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &tensor });
        const Matrix x = tests::randomMatrix(9, kColumns, random);
        const auto after = [&](size_t tokens) {
            Matrix some(tokens, kColumns);
            std::ranges::copy(std::span(x.values).first(tokens * kColumns), some.values.begin());
            const Stream stream(m_kernels, some);
            start(stream, weight);
            const Activations input = m_kernels.upload(some);
            const MatmulResidual operation = need(MatmulResidual::create(m_kernels.context(),
                { .weights = weights, .x = input, .stream = stream.stream, .nextWeight = weight }));
            m_kernels.run([&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(tokens)); });
            return normedProduct(stream, weights, kColumns);
        };
        const Matrix all = after(9);
        for (size_t tokens = 1; tokens < 9; ++tokens) {
            const Matrix y = after(tokens);
            for (size_t t = 0; t < tokens; ++t)
                QVERIFY2(tests::sameBits(y.row(t), all.row(t)),
                    qPrintable(QString("%1 tokens, row %2").arg(tokens).arg(t)));
        }
    }

    void scoredRowsAreTakenFromTheStream()
    {
        std::mt19937 random(8);
        const Matrix normWeight = tests::randomMatrix(1, kColumns, random);
        const Activations weight = m_kernels.upload(normWeight);
        const auto tensor = tests::HostTensor::random(TensorType::Q8_0, 64, kColumns, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &tensor });
        const Stream stream(m_kernels, tests::randomMatrix(9, kColumns, random));
        start(stream, weight);
        const Matrix all = normedProduct(stream, weights, 64);
        const std::vector<uint32_t> rows { 8, 2, 5 };
        const Matrix some = normedProduct(stream, weights, 64, rows);
        for (size_t i = 0; i < rows.size(); ++i)
            QVERIFY(tests::sameBits(some.row(i), all.row(rows[i])));
    }
};

QTEST_GUILESS_MAIN(TestNormedProducts)
#include "tst_normed_products.moc"
