#include "engine/kernels/gate_up.h"

#include "engine/kernels/matmul.h"
#include "engine/reference/operations.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

namespace {
// Sums of 256 terms that differ in order (1e-5 of their size), then an activation of slope 1.1 and a
// product of two numbers of a few units: ten times what was seen on the software device.
constexpr float kTolerance = 2e-4f;
}

class TestGateUp : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;
    size_t m_paddingFaults = 0; ///< of the last result

    Matrix fused(const WeightMatrix& weights, const Matrix& x, size_t columns, bool gelu)
    {
        const Activations input = m_kernels.upload(x);
        const Activations output = m_kernels.activations(x.rows, columns);
        const GateUp operation = need(GateUp::create(m_kernels.context(),
            { .weights = weights, .x = input, .y = output, .gelu = gelu }));
        m_kernels.run(
            [&](vk::Recorder& recorder) { operation.record(recorder, uint32_t(x.rows)); });
        m_paddingFaults = m_kernels.paddingFaults(output, x.rows);
        return m_kernels.download(output, x.rows);
    }

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void fusedProductsAreThoseOfTheReference_data() { tests::addWeightTypeRows(); }
    void fusedProductsAreThoseOfTheReference()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) };
        for (const size_t rows : { 64, 150, 320 }) {
            const auto gate = tests::HostTensor::random(TensorType(type), rows, 256, random);
            const auto up = tests::HostTensor::random(TensorType(type), rows, 256, random);
            const WeightMatrix weights
                = tests::deviceWeights(m_kernels.device(), { &gate, &up });
            QVERIFY(GateUp::canFuse(weights));
            for (const size_t tokens : { 1, 5 })
                for (const bool gelu : { false, true }) {
                    // The activation follows the sums: two types show it, and compile fast enough.
                    if (gelu && TensorType(type) != TensorType::Q8_0
                        && TensorType(type) != TensorType::Q4_K)
                        continue;
                    const Matrix x = tests::randomMatrix(tokens, 256, random);
                    const Matrix expected
                        = gated(gelu ? Activation::GeluTanh : Activation::Silu,
                            matmul(gate.weight(), x), matmul(up.weight(), x));
                    const Matrix y = fused(weights, x, rows, gelu);
                    const float allowed
                        = kTolerance * std::max(1.0f, tests::largestMagnitude(expected));
                    QVERIFY2(tests::largestDifference(y, expected) <= allowed,
                        qPrintable(QString("%1 rows, %2 tokens, gelu %3: %4")
                                       .arg(rows)
                                       .arg(tokens)
                                       .arg(gelu)
                                       .arg(double(tests::largestDifference(y, expected)))));
                    QCOMPARE(m_paddingFaults, size_t(0)); // Matmul reads on to whole groups
                }
        }
    }

    void bitsOfARowAreTheSameForAnyNumberOfTokens_data() { tests::addWeightTypeRows(); }
    void bitsOfARowAreTheSameForAnyNumberOfTokens()
    {
        QFETCH(int, type);
        std::mt19937 random { uint32_t(type) + 100 };
        const auto gate = tests::HostTensor::random(TensorType(type), 192, 256, random);
        const auto up = tests::HostTensor::random(TensorType(type), 192, 256, random);
        const WeightMatrix weights = tests::deviceWeights(m_kernels.device(), { &gate, &up });
        const Matrix x = tests::randomMatrix(9, 256, random);
        const Matrix all = fused(weights, x, 192, false);
        for (size_t tokens = 1; tokens < 9; ++tokens) {
            Matrix some(tokens, x.columns);
            std::ranges::copy(
                std::span(x.values).first(tokens * x.columns), some.values.begin());
            const Matrix y = fused(weights, some, 192, false);
            for (size_t t = 0; t < tokens; ++t)
                QVERIFY2(tests::sameBits(y.row(t), all.row(t)),
                    qPrintable(QString("%1 tokens, row %2").arg(tokens).arg(t)));
        }
    }

    void severalSlabsAreNotFused()
    {
        std::mt19937 random(3);
        const auto gate = tests::HostTensor::random(TensorType::Q4_1, 128, 64, random);
        QVERIFY(!GateUp::canFuse(tests::deviceWeights(m_kernels.device(), { &gate, &gate }, 1)));
    }

    void gateAndUpOfTwoTensorTypesAreJoined_data()
    {
        QTest::addColumn<bool>("gelu");
        QTest::newRow("SiLU") << false;
        QTest::newRow("GELU") << true;
    }
    void gateAndUpOfTwoTensorTypesAreJoined()
    {
        QFETCH(bool, gelu);
        std::mt19937 random(11);
        const auto gate = tests::HostTensor::random(TensorType::Q4_K, 150, 256, random);
        const auto up = tests::HostTensor::random(TensorType::Q6_K, 150, 256, random);
        const WeightMatrix gateWeights = tests::deviceWeights(m_kernels.device(), { &gate });
        const WeightMatrix upWeights = tests::deviceWeights(m_kernels.device(), { &up });
        const Matrix x = tests::randomMatrix(6, 256, random);
        const Activations input = m_kernels.upload(x);
        const Activations both = m_kernels.activations(6, 2 * 192);
        const Activations output = m_kernels.activations(6, 150);
        const Matmul gateProduct = need(Matmul::create(
            m_kernels.context(), { .weights = gateWeights, .x = input, .y = both }));
        const Matmul upProduct = need(Matmul::create(m_kernels.context(),
            { .weights = upWeights, .x = input, .y = both, .yOffset = 192 }));
        const Gated joined = need(Gated::create(
            m_kernels.context(), { .gateUp = both, .y = output, .gelu = gelu }));
        m_kernels.run([&](vk::Recorder& recorder) {
            gateProduct.record(recorder, 6);
            upProduct.record(recorder, 6);
            recorder.barrier();
            joined.record(recorder, 6);
        });
        const Matrix expected = gated(gelu ? Activation::GeluTanh : Activation::Silu,
            matmul(gate.weight(), x), matmul(up.weight(), x));
        const float difference
            = tests::largestDifference(m_kernels.download(output, 6), expected);
        QVERIFY2(difference <= kTolerance * std::max(1.0f, tests::largestMagnitude(expected)),
            qPrintable(QString::number(double(difference))));
        QCOMPARE(m_kernels.paddingFaults(output, 6), size_t(0));
    }

    void largeInputsOfTheActivationsStayFinite()
    {
        // exp(-x) and tanh overflow in float32 far inside what a gate may be.
        Matrix gateUp(1, 128);
        const float gates[] = { -1e4f, -200.0f, -100.0f, -20.0f, 0.0f, 20.0f, 100.0f, 1e4f };
        for (size_t i = 0; i < 8; ++i) {
            gateUp.row(0)[i] = gates[i];
            gateUp.row(0)[64 + i] = 0.5f;
        }
        const Activations both = m_kernels.upload(gateUp);
        for (const bool gelu : { false, true }) {
            const Activations output = m_kernels.activations(1, 64);
            const Gated joined = need(Gated::create(
                m_kernels.context(), { .gateUp = both, .y = output, .gelu = gelu }));
            m_kernels.run([&](vk::Recorder& recorder) { joined.record(recorder, 1); });
            const Matrix y = m_kernels.download(output, 1);
            for (size_t i = 0; i < 8; ++i) {
                const float expected = 0.5f * std::max(0.0f, gates[i]);
                QVERIFY2(std::abs(y.row(0)[i] - expected) <= 1e-4f,
                    qPrintable(QString("gelu %1, gate %2: %3")
                                   .arg(gelu)
                                   .arg(double(gates[i]))
                                   .arg(double(y.row(0)[i]))));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestGateUp)
#include "tst_gate_up.moc"
