#include "engine/kernels/embed.h"

#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::need;

class TestEmbed : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void rowsAreThoseOfTheFile_data() { tests::addWeightTypeRows(); }
    void rowsAreThoseOfTheFile()
    {
        QFETCH(int, type);
        const uint32_t quantBlock = tensorTypeInfo(TensorType(type)).valuesPerQuantBlock;
        const size_t columns = quantBlock == 1 ? 83 : size_t(quantBlock) * 3;
        std::mt19937 random { uint32_t(type) };
        const auto tensor = tests::HostTensor::random(TensorType(type), 300, columns, random);
        const Weight weight = tensor.weight();
        // First and last rows of the matrix, of tiles and of slabs, and one of them twice.
        const std::vector<TokenId> tokens { 299, 0, 63, 64, 127, 128, 191, 192, 64, 255, 256 };
        BatchRows rows = need(BatchRows::create(
            m_kernels.device(), { .rowCount = 16, .tableCount = 1, .tablePages = 1 }));
        std::vector<BatchRow> batch;
        for (const TokenId token : tokens)
            batch.push_back({ token, 0, 0 });
        rows.setRows(batch);
        for (const uint32_t slabTiles : { 0u, 1u, 2u })
            for (const float scale : { 1.0f, 25.25f }) {
                const WeightMatrix weights
                    = tests::deviceWeights(m_kernels.device(), { &tensor }, slabTiles);
                const Activations output = m_kernels.activations(tokens.size(), columns);
                const Embed embed = need(Embed::create(m_kernels.context(),
                    { .weights = weights, .rows = rows, .y = output, .scale = scale }));
                m_kernels.run([&](vk::Recorder& recorder) {
                    embed.record(recorder, uint32_t(tokens.size()));
                });
                const Matrix y = m_kernels.download(output, tokens.size());
                std::vector<float> expected(columns);
                for (size_t t = 0; t < tokens.size(); ++t) {
                    weight.readRow(size_t(tokens[t]), expected);
                    for (size_t i = 0; i < columns; ++i) {
                        // A scale times a quant, plus a constant that may cancel it, each rounded:
                        // 2^-22 of the larger, which is below 63 * 63 * 2e-3 for these weights.
                        const float allowed = scale * 8.0f * 0x1p-22f;
                        QVERIFY2(std::abs(y.row(t)[i] - scale * expected[i]) <= allowed,
                            qPrintable(QString("token %1, column %2: %3 instead of %4")
                                           .arg(tokens[t])
                                           .arg(i)
                                           .arg(double(y.row(t)[i]))
                                           .arg(double(scale * expected[i]))));
                    }
                }
                QCOMPARE(m_kernels.paddingFaults(output, tokens.size()), size_t(0));
            }
    }
};

QTEST_GUILESS_MAIN(TestEmbed)
#include "tst_embed.moc"
