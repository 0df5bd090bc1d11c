#include "engine/kernels/repack_weights.h"

#include "engine/kernels/weight_packer.h"
#include "engine/vulkan/transfer.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;
using tests::HostTensor;
using tests::need;

namespace {
/// What is packed in which pieces.
struct Case {
    TensorType type = TensorType::F32;
    std::vector<uint64_t> rows; ///< of each part
    uint32_t columns = 0;
    uint32_t headDim = 0; ///< of the first part
    uint32_t slabTiles = 0;
    uint64_t stagingBytes = 1 << 20;
};

uint32_t columnsOf(TensorType type, uint32_t blocks)
{
    const uint32_t quantBlock = tensorTypeInfo(type).valuesPerQuantBlock;
    return quantBlock == 1 ? blocks * 35 : blocks * quantBlock;
}
}

class TestRepackWeights : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_fixture.open(), qPrintable(m_fixture.problem())); }
    void cleanupTestCase() { QCOMPARE(m_fixture.close(), QString()); }

    void theDevicePacksAsTheHostDoesBitForBit_data() { tests::addWeightTypeRows(); }
    void theDevicePacksAsTheHostDoesBitForBit()
    {
        QFETCH(int, type);
        for (const uint64_t rows : { 64u, 37u, 1u, 200u })
            for (const uint32_t blocks : { 1u, 2u, 3u })
                check({ .type = TensorType(type),
                    .rows = { rows },
                    .columns = columnsOf(TensorType(type), blocks) });
    }

    void stackedTensorsStartOnTilesOfTheirOwn_data() { tests::addWeightTypeRows(); }
    void stackedTensorsStartOnTilesOfTheirOwn()
    {
        QFETCH(int, type);
        check({ .type = TensorType(type),
            .rows = { 70, 5, 64 },
            .columns = columnsOf(TensorType(type), 2) });
    }

    void piecesMayEndAnywhereInTilesAndHeads_data() { tests::addWeightTypeRows(); }
    void piecesMayEndAnywhereInTilesAndHeads()
    {
        QFETCH(int, type);
        const uint32_t columns = columnsOf(TensorType(type), 3);
        const uint64_t rowBytes
            = need(tensorBytes(TensorType(type), std::array { uint64_t(columns) }));
        for (const uint32_t headDim : { 0u, 24u, 80u, 128u })
            check({ .type = TensorType(type),
                .rows = { headDim == 128 ? 3840u : 240u, 30u },
                .columns = columns,
                .headDim = headDim,
                .slabTiles = 2,
                .stagingBytes = 7 * rowBytes + 40 });
    }

    void aRowLargerThanTheStagingBufferIsPackedToo()
    {
        check({ .type = TensorType::F32, .rows = { 3 }, .columns = 4096, .stagingBytes = 256 });
    }

    void stagingIsBoundedWhateverIsPacked()
    {
        check({ .type = TensorType::Q4_K,
            .rows = { 4096 },
            .columns = 512,
            .stagingBytes = 16 << 10 });
        const vk::AllocationCounter& counter = m_fixture.device().allocations();
        QCOMPARE(counter.bytes(vk::BufferDomain::Upload), uint64_t(0));
    }

    void stoppingEndsBetweenPieces()
    {
        std::mt19937 random { 3 };
        const HostTensor tensor = HostTensor::random(TensorType::Q4_0, 640, 64, random);
        const WeightMatrix matrix
            = matrixOf({ .type = TensorType::Q4_0, .rows = { 640 }, .columns = 64 });
        RepackWeights repack = need(
            RepackWeights::create(m_fixture.context(), std::array { TensorType::Q4_0 }, 4096));
        int pieces = 0;
        const auto packed = repack.pack(
            matrix, std::array { tensor.part() }, [&](uint64_t) { return ++pieces < 2; });
        QVERIFY(!packed.has_value());
        QCOMPARE(packed.error().code, ErrorCode::Cancelled);
        QCOMPARE(pieces, 2);
        need(repack.finish());
    }

    void anErrorOfTheFileIsPassedOn()
    {
        const WeightMatrix matrix
            = matrixOf({ .type = TensorType::Q4_0, .rows = { 64 }, .columns = 64 });
        RepackWeights repack = need(
            RepackWeights::create(m_fixture.context(), std::array { TensorType::Q4_0 }, 4096));
        const WeightPart part { .rows = 64,
            .read = [](uint64_t, std::span<std::byte>) -> Result<void> {
                return Error::io("the file is shorter now");
            } };
        const auto packed = repack.pack(matrix, std::array { part }, {});
        QVERIFY(!packed.has_value());
        QCOMPARE(packed.error().code, ErrorCode::Io);
        need(repack.finish());
    }

private:
    WeightMatrix matrixOf(const Case& wanted)
    {
        WeightMatrix matrix = need(WeightMatrix::create(m_fixture.device(),
            { .type = wanted.type,
                .columns = wanted.columns,
                .partRows = wanted.rows,
                .purpose = "test weights",
                .mostSlabTiles = wanted.slabTiles }));
        for (const WeightMatrix::Slab& slab : matrix.slabs()) {
            const std::vector<std::byte> garbage(slab.buffer.bytes(), std::byte(0xAB));
            need(vk::writeBuffer(m_fixture.device(), slab.buffer, 0, garbage));
        }
        return matrix;
    }

    void check(const Case& wanted)
    {
        std::mt19937 random { uint32_t(wanted.type) + wanted.columns };
        std::vector<HostTensor> tensors;
        for (const uint64_t rows : wanted.rows)
            tensors.push_back(HostTensor::random(wanted.type, rows, wanted.columns, random));
        std::vector<WeightPart> parts;
        for (const HostTensor& tensor : tensors)
            parts.push_back(tensor.part());
        parts.front().interleavedHeadDim = wanted.headDim;

        const WeightMatrix byHost = matrixOf(wanted);
        WeightPacker packer(m_fixture.device(), wanted.stagingBytes);
        need(packer.pack(byHost, parts, {}));
        need(packer.finish());
        const WeightMatrix byDevice = matrixOf(wanted);
        RepackWeights repack = need(RepackWeights::create(
            m_fixture.context(), std::array { wanted.type }, wanted.stagingBytes));
        uint64_t readBytes = 0;
        need(repack.pack(byDevice, parts, [&](uint64_t bytes) {
            readBytes += bytes;
            return true;
        }));
        need(repack.finish());

        uint64_t fileBytes = 0;
        for (const HostTensor& tensor : tensors)
            fileBytes += tensor.bytes.size();
        QCOMPARE(readBytes, fileBytes);
        QCOMPARE(byDevice.slabs().size(), byHost.slabs().size());
        for (size_t i = 0; i < byHost.slabs().size(); ++i) {
            const auto expected = contentsOf(byHost.slabs()[i]);
            const auto got = contentsOf(byDevice.slabs()[i]);
            const auto first = std::ranges::mismatch(expected, got).in1 - expected.begin();
            QVERIFY2(expected == got,
                qPrintable(QString("%1 columns, head dim %2, slab %3: byte %4 of %5 differs")
                               .arg(wanted.columns)
                               .arg(wanted.headDim)
                               .arg(i)
                               .arg(first)
                               .arg(expected.size())));
        }
    }

    std::vector<std::byte> contentsOf(const WeightMatrix::Slab& slab)
    {
        return need(vk::readBuffer(m_fixture.device(), slab.buffer, 0, slab.buffer.bytes()));
    }

    tests::KernelFixture m_fixture;
};

QTEST_APPLESS_MAIN(TestRepackWeights)
#include "tst_repack_weights.moc"
