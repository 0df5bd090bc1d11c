#include "engine/model/weight_reader.h"

#include "engine/vulkan/transfer.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>
#include <algorithm>

using namespace engine;

namespace {
// Of the bytes of all tensors: a second copy of the embedding, or of anything else large, passes
// it.
constexpr double kMostShare = 1.15;

struct LoadReport {
    uint64_t weightBytes = 0; ///< on the device, as the allocator counts
    uint64_t peakStagingBytes = 0;
    std::vector<uint64_t> progress; ///< bytes done after each piece
    uint64_t total = 0;
    std::vector<std::vector<std::byte>> contents; ///< of every slab, when asked for
    std::string error;
};

void addContents(vk::Device& device, const WeightMatrix& matrix, LoadReport& report)
{
    for (const WeightMatrix::Slab& slab : matrix.slabs()) {
        const auto bytes = vk::readBuffer(device, slab.buffer, 0, slab.buffer.bytes());
        report.contents.push_back(bytes ? *bytes : std::vector<std::byte>());
    }
}

/// How weights get to where kernels read them.
enum class Way { MappedByHost, StagedByHost, PackedByDevice };

Result<std::unique_ptr<DeviceWeights>> readWeights(
    vk::Device& device, const GgufFile& file, WeightPacking packing, const LoadProgress& progress)
{
    TRY_ASSIGN(const ModelConfig config, ModelConfig::create(file));
    TRY_ASSIGN(const ModelTensors tensors, ModelTensors::create(file, config));
    TRY_ASSIGN(
        std::unique_ptr<DeviceWeights> weights, DeviceWeights::create(device, file, tensors));
    KernelContext context(device, nullptr);
    TRY_ASSIGN(WeightReader reader, WeightReader::create(context, file, packing));
    TRY(reader.read(*weights, tensors, config, progress));
    return weights;
}

LoadReport load(const std::filesystem::path& path, Way way, bool readsBack = false)
{
    LoadReport report;
    tests::VulkanFixture vulkan;
    if (!vulkan.open({ .hidesUnifiedMemory = way != Way::MappedByHost })) {
        report.error = vulkan.problem().toStdString();
        return report;
    }
    {
        const auto file = GgufFile::open(path);
        if (!file) {
            report.error = file.error().message;
            return report;
        }
        const auto packing
            = way == Way::PackedByDevice ? WeightPacking::OnDevice : WeightPacking::OnHost;
        const auto weights
            = readWeights(vulkan.device(), *file, packing, [&](uint64_t done, uint64_t total) {
                  report.progress.push_back(done);
                  report.total = total;
                  return true;
              });
        if (!weights) {
            report.error = weights.error().message;
            return report;
        }
        const vk::AllocationCounter& counter = vulkan.device().allocations();
        report.weightBytes = counter.bytes(vk::BufferDomain::Weights);
        report.peakStagingBytes = counter.peakBytes(vk::BufferDomain::Upload);
        if (counter.peakBytes(vk::BufferDomain::Device) > 0)
            report.error = "weights lie in buffers that are not counted as weights";
        if (readsBack) {
            addContents(vulkan.device(), (*weights)->tokenEmbedding, report);
            for (const LayerWeights& layer : (*weights)->layers) {
                for (const StackedMatrix* stack : { &layer.queryKeyValue, &layer.gateUp })
                    for (const StackedMatrix::Part& part : stack->parts)
                        addContents(vulkan.device(), part.weights, report);
                addContents(vulkan.device(), layer.attentionOutput, report);
                addContents(vulkan.device(), layer.down, report);
            }
        }
    }
    if (const QString messages = vulkan.close(); !messages.isEmpty())
        report.error = messages.toStdString();
    return report;
}
}

class TestDeviceWeights : public QObject {
    Q_OBJECT
private slots:
    void realModelTakesHardlyMoreThanItsTensors_data()
    {
        QTest::addColumn<QString>("fileName");
        QTest::addColumn<Way>("way");
        for (const char* name : { tests::kSmolLM2, tests::kGemma3 }) {
            QTest::addRow("%s, mapped", name) << QString(name) << Way::MappedByHost;
            QTest::addRow("%s, through staging", name) << QString(name) << Way::StagedByHost;
            QTest::addRow("%s, packed by the device", name) << QString(name) << Way::PackedByDevice;
        }
    }
    void realModelTakesHardlyMoreThanItsTensors()
    {
        QFETCH(QString, fileName);
        QFETCH(Way, way);
        const auto path = tests::realModel(fileName.toStdString());
        if (!path)
            QSKIP(tests::kNoModel);
        const LoadReport report = load(*path, way);
        QCOMPARE(report.error, std::string());
        const double share
            = double(report.weightBytes + report.peakStagingBytes) / double(report.total);
        qInfo("weights %.4f of the tensors' bytes, with staging %.4f",
            double(report.weightBytes) / double(report.total), share);
        QCOMPARE(report.peakStagingBytes > 0, way != Way::MappedByHost);
        QVERIFY2(share <= kMostShare, qPrintable(QString::number(share)));
    }

    void tinyModelTakesHardlyMoreThanItsTensors_data()
    {
        QTest::addColumn<QString>("stem");
        for (const char* stem :
            { "arch-llama", "arch-gemma3", "arch-qwen2", "type-q4_1", "type-q6_k" })
            QTest::newRow(stem) << QString(stem);
    }
    void tinyModelTakesHardlyMoreThanItsTensors()
    {
        QFETCH(QString, stem);
        const auto path = tests::tinyModel(stem.toStdString());
        if (!path)
            QSKIP(tests::kNoReference);
        for (const Way way : { Way::StagedByHost, Way::PackedByDevice }) {
            const LoadReport report = load(*path, way);
            QCOMPARE(report.error, std::string());
            // Like real ones its matrices are multiples of 64 rows and columns: others would be
            // padded.
            const double share
                = double(report.weightBytes + report.peakStagingBytes) / double(report.total);
            QVERIFY2(share <= kMostShare, qPrintable(QString::number(share)));
        }
    }

    void weightsAreTheSameWhicheverWayTheyCame()
    {
        for (const char* stem :
            { "arch-llama", "arch-gemma3", "arch-qwen2", "type-q4_1", "type-q4_k", "type-q6_k" }) {
            const auto path = tests::tinyModel(stem);
            if (!path)
                QSKIP(tests::kNoReference);
            const LoadReport mapped = load(*path, Way::MappedByHost, true);
            QVERIFY(mapped.contents.size() > 5);
            for (const Way way : { Way::StagedByHost, Way::PackedByDevice }) {
                const LoadReport other = load(*path, way, true);
                QCOMPARE(mapped.error + other.error, std::string());
                QVERIFY2(mapped.contents == other.contents, stem);
            }
        }
    }

    void progressCountsEveryByteOnceInLargePieces()
    {
        const auto path = tests::realModel(tests::kSmolLM2);
        if (!path)
            QSKIP(tests::kNoModel);
        const LoadReport report = load(*path, Way::MappedByHost);
        QCOMPARE(report.error, std::string());
        QVERIFY(std::ranges::is_sorted(report.progress));
        QCOMPARE(report.progress.back(), report.total);
        // 272 tensors: one read each, but for the embedding's 29 MiB in pieces of 4 MiB.
        QVERIFY2(
            report.progress.size() <= 280, qPrintable(QString::number(report.progress.size())));
    }

    void stoppedLoadLeavesNothingOnTheDevice()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        for (const WeightPacking packing : { WeightPacking::OnHost, WeightPacking::OnDevice }) {
            tests::VulkanFixture vulkan;
            QVERIFY2(vulkan.open({ .hidesUnifiedMemory = true }), qPrintable(vulkan.problem()));
            const auto file = GgufFile::open(*path);
            QVERIFY(file.has_value());
            int pieces = 0;
            const auto weights = readWeights(
                vulkan.device(), *file, packing, [&](uint64_t, uint64_t) { return ++pieces < 5; });
            QVERIFY(!weights.has_value());
            QCOMPARE(weights.error().code, ErrorCode::Cancelled);
            QCOMPARE(vulkan.device().allocations().totalBytes(), uint64_t(0));
            QCOMPARE(vulkan.close(), QString());
        }
    }

    void theSoftwareDevicePacksOnTheHostUnlessToldOtherwise()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        const bool software = vulkan.device().capabilities().softwareDevice;
        QCOMPARE(choosePacking(vulkan.device()),
            software ? WeightPacking::OnHost : WeightPacking::OnDevice);
        qputenv("TOKENGLASS_PACKING", "device");
        QCOMPARE(choosePacking(vulkan.device()), WeightPacking::OnDevice);
        qputenv("TOKENGLASS_PACKING", "host");
        QCOMPARE(choosePacking(vulkan.device()), WeightPacking::OnHost);
        qunsetenv("TOKENGLASS_PACKING");
        QCOMPARE(vulkan.close(), QString());
    }
};

QTEST_APPLESS_MAIN(TestDeviceWeights)
#include "tst_device_weights.moc"
