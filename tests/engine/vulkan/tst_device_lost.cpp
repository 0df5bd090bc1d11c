#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/transfer.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

/// Each test loses a device by an injected fault; its objects are then leaked on purpose, so the
/// driver's memory stays allocated to the end of this program.
class TestDeviceLost : public QObject {
    Q_OBJECT
private slots:
    void aLossIsAnErrorWhereverItIsNoticed_data()
    {
        QTest::addColumn<int>("kind");
        for (vk::CallKind kind : { vk::CallKind::QueueSubmit, vk::CallKind::WaitSemaphores,
                 vk::CallKind::AllocateMemory, vk::CallKind::BeginCommandBuffer })
            QTest::newRow(vk::callKindName(kind)) << int(kind);
    }
    void aLossIsAnErrorWhereverItIsNoticed()
    {
        QFETCH(int, kind);
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        {
            vk::Device& device = vulkan.device();
            const auto buffer = vk::Buffer::create(device, { .bytes = 64, .purpose = "values" });
            QVERIFY(buffer.has_value());
            device.calls().injectFault({ vk::CallKind(kind), 1, VK_ERROR_DEVICE_LOST });
            const auto read = vk::readBuffer(device, *buffer, 0, 64);
            QVERIFY(!read);
            QCOMPARE(read.error().code, ErrorCode::DeviceLost);
            QVERIFY(device.isLost());

            device.calls().resetCounts();
            const auto again = vk::Buffer::create(device, { .bytes = 64, .purpose = "values" });
            QCOMPARE(again.error().code, ErrorCode::DeviceLost); // and stays lost
            QCOMPARE(
                device.calls().callCount(vk::CallKind::CreateBuffer), uint64_t(0)); // untouched
        }
        QCOMPARE(vulkan.close(), QString());
    }
    void aNewDeviceWorksAfterALoss()
    {
        tests::VulkanFixture lost;
        QVERIFY2(lost.open(), qPrintable(lost.problem()));
        lost.device().calls().injectFault({ vk::CallKind::QueueSubmit, 1, VK_ERROR_DEVICE_LOST });
        {
            const auto buffer
                = vk::Buffer::create(lost.device(), { .bytes = 64, .purpose = "values" });
            QVERIFY(!vk::readBuffer(lost.device(), *buffer, 0, 64));
        }
        auto next = tests::openTestDevice(lost.instance());
        QVERIFY(next.has_value());
        {
            const auto buffer = vk::Buffer::create(*next, { .bytes = 64, .purpose = "values" });
            QVERIFY(vk::readBuffer(*next, *buffer, 0, 64).has_value());
        }
        QCOMPARE(lost.close(), QString());
    }
    void aDeviceThatDoesNotAnswerInTimeCountsAsLost()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        vk::DeviceCore& core = vulkan.device().core();
        vulkan.device().calls().injectFault({ vk::CallKind::WaitSemaphores, 1, VK_TIMEOUT });
        const auto waited = vk::waitForValue(core, 1, "prefill of 512 tokens", 0);
        QVERIFY(!waited);
        QCOMPARE(waited.error().code, ErrorCode::DeviceLost);
        QVERIFY(waited.error().message.find("prefill of 512 tokens") != std::string::npos);
        QVERIFY(vulkan.device().isLost());
    }
    void aTimeoutThatEndsInSuccessIsNoLoss()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        {
            const auto buffer
                = vk::Buffer::create(vulkan.device(), { .bytes = 64, .purpose = "values" });
            vulkan.device().calls().injectFault({ vk::CallKind::WaitSemaphores, 1, VK_TIMEOUT });
            QVERIFY(vk::readBuffer(vulkan.device(), *buffer, 0, 64).has_value());
            QVERIFY(vulkan.device().calls().faultFired());
        }
        QCOMPARE(vulkan.close(), QString());
    }
};

QTEST_APPLESS_MAIN(TestDeviceLost)
#include "tst_device_lost.moc"
