#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/transfer.h"
#include "shaders/test_scale.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

namespace {
constexpr uint32_t kTexelCount = 16;
const std::vector<std::string> kPurposes { "token embeddings", "KV cache", "activations",
    "step record" };
const std::vector<uint64_t> kSizes { 4096, 8192, 256, 256 };

struct ScalePush {
    float addend;
    uint32_t texelCount;
};

/// Opens the test device with a fault, loads four buffers and a kernel, runs it once and reads the
/// result: everything that loading and running a model does, in small.
Result<float> loadAndRun(
    const vk::Instance& instance, const vk::DeviceOptions& options, bool& fired)
{
    fired = false;
    auto opened = tests::openTestDevice(instance, options);
    if (!opened) {
        fired = true; // nothing else fails in opening it
        return opened.error();
    }
    vk::Device device = std::move(*opened);
    const auto run = [&]() -> Result<float> {
        std::vector<vk::Buffer> buffers;
        for (size_t i = 0; i < kPurposes.size(); ++i) {
            constexpr vk::BufferDomain kDomains[] = { vk::BufferDomain::Weights,
                vk::BufferDomain::Device, vk::BufferDomain::Device, vk::BufferDomain::Readback };
            TRY_ASSIGN(vk::Buffer buffer,
                vk::Buffer::create(device,
                    { .bytes = kSizes[i], .domain = kDomains[i], .purpose = kPurposes[i] }));
            buffers.push_back(std::move(buffer));
        }
        const std::vector<float> ones(kTexelCount * 4, 1.0f);
        TRY(vk::writeBuffer(device, buffers[0], 0, std::as_bytes(std::span(ones))));
        TRY_ASSIGN(const vk::TexelView texels,
            vk::TexelView::create(device, buffers[0], { .format = vk::TexelFormat::Float4 }));
        TRY_ASSIGN(const vk::PipelineCache cache, vk::PipelineCache::create(device, {}));
        TRY_ASSIGN(const vk::ComputePipeline pipeline,
            vk::ComputePipeline::create(device,
                { .name = "test_scale",
                    .spirv = shaders::test_scale(),
                    .constants = { { 0, 8 }, vk::SpecConstant::ofFloat(1, 2.0f) },
                    .bindings = { vk::BindingType::UniformTexel, vk::BindingType::StorageBuffer },
                    .pushConstantBytes = sizeof(ScalePush),
                    .cache = &cache }));
        TRY_ASSIGN(const vk::BindingSet set,
            vk::BindingSet::create(device, pipeline, { texels, buffers[2] }));
        TRY_ASSIGN(vk::Timestamps timestamps, vk::Timestamps::create(device, 2));
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(device, "decode step"));
        recorder.startTimestamps(timestamps);
        recorder.bind(pipeline, set);
        recorder.push(ScalePush { 1.0f, kTexelCount });
        recorder.dispatch(kTexelCount / 8);
        recorder.barrier();
        recorder.copy(buffers[2], buffers[3], { .bytes = kTexelCount * 16 });
        recorder.hostReadBarrier();
        recorder.mark(timestamps, "all");
        TRY_ASSIGN(vk::Recording recording, recorder.finish());
        TRY(vk::runAndWait(device, recording));
        TRY(timestamps.read());
        TRY_ASSIGN(vk::Recorder again, vk::Recorder::create(device, std::move(recording)));
        TRY(again.finish());
        return buffers[3].mappedAs<float>()[0];
    };
    const Result<float> result = run();
    fired = device.calls().faultFired();
    return result;
}

QString words(const Error& error) { return QString::fromStdString(error.message); }
}

class TestDeviceFaults : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        tests::keepSoftwareDriverLoaded();
        m_log.clear();
        auto instance = vk::Instance::create({ .validation = true, .log = &m_log });
        QVERIFY2(instance.has_value(), instance ? "" : instance.error().message.c_str());
        m_instance.emplace(std::move(*instance));
    }
    void cleanup()
    {
        m_instance.reset();
        QCOMPARE(allMessages(), QString());
    }

    void everyFailingAllocationNamesSizeAndPurposeAndFreesAllEarlierOnes()
    {
        uint64_t callNumber = 1;
        for (;; ++callNumber) {
            bool fired = false;
            const auto result = loadAndRun(*m_instance,
                { .fault = vk::CallFault { vk::CallKind::AllocateMemory, callNumber } }, fired);
            if (!fired) {
                QVERIFY(result.has_value());
                break;
            }
            QVERIFY(!result);
            QCOMPARE(result.error().code, ErrorCode::OutOfMemory);
            if (callNumber <= kPurposes.size()) {
                const size_t i = callNumber - 1;
                QVERIFY2(words(result.error()).contains(kPurposes[i].c_str()),
                    qPrintable(words(result.error())));
                QVERIFY2(words(result.error()).contains(QString::number(kSizes[i])),
                    qPrintable(words(result.error())));
            }
            // The device is gone: a leak would have been reported.
            QCOMPARE(allMessages(), QString());
        }
        QVERIFY(callNumber > kPurposes.size()); // the loop saw every allocation
    }
    void everyFailingCallIsAnErrorAndLeaksNothing_data()
    {
        QTest::addColumn<bool>("hidesUnifiedMemory");
        QTest::newRow("memory as it is") << false;
        QTest::newRow("memory of a card, filled by copies") << true;
    }
    void everyFailingCallIsAnErrorAndLeaksNothing()
    {
        QFETCH(bool, hidesUnifiedMemory);
        uint64_t callNumber = 1;
        for (;; ++callNumber) {
            bool fired = false;
            const auto result = loadAndRun(*m_instance,
                { .hidesUnifiedMemory = hidesUnifiedMemory,
                    .fault
                    = vk::CallFault { std::nullopt, callNumber, VK_ERROR_OUT_OF_HOST_MEMORY } },
                fired);
            if (!fired) {
                QVERIFY(result.has_value());
                QCOMPARE(*result, 3.0f);
                break;
            }
            QVERIFY2(!result, qPrintable(QString("call %1").arg(callNumber)));
            QCOMPARE(result.error().code, ErrorCode::OutOfMemory);
            QCOMPARE(allMessages(), QString());
        }
        QVERIFY(callNumber > 30);
    }
    void afterAFailureTheSameDeviceLoadsWithLess()
    {
        auto opened = tests::openTestDevice(*m_instance, { .heapLimitBytes = 1 << 20 });
        QVERIFY(opened.has_value());
        const auto first = vk::Buffer::create(*opened, { .bytes = 600'000, .purpose = "weights" });
        QVERIFY(first.has_value());
        const auto tooLarge
            = vk::Buffer::create(*opened, { .bytes = 600'000, .purpose = "KV cache" });
        QCOMPARE(tooLarge.error().code, ErrorCode::OutOfMemory);
        QVERIFY2(words(tooLarge.error()).contains("KV cache"), qPrintable(words(tooLarge.error())));
        QVERIFY(
            vk::Buffer::create(*opened, { .bytes = 300'000, .purpose = "KV cache" }).has_value());
    }

private:
    QString allMessages() const
    {
        QString all;
        for (const std::string& message : m_log.messages())
            all += QString::fromStdString(message) + "\n";
        return all;
    }

    vk::ValidationLog m_log;
    std::optional<vk::Instance> m_instance;
};

QTEST_APPLESS_MAIN(TestDeviceFaults)
#include "tst_device_faults.moc"
