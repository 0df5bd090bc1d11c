#include "engine/vulkan/device_core.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

class TestInstance : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { tests::keepSoftwareDriverLoaded(); }
    void cleanup()
    {
        qunsetenv("VK_DRIVER_FILES");
        qunsetenv("VK_ICD_FILENAMES");
        qunsetenv("TOKENGLASS_VALIDATION");
    }

    void withoutADriverThereIsNoDeviceInWords()
    {
        qputenv("VK_DRIVER_FILES", "/nowhere.json");
        qputenv("VK_ICD_FILENAMES", "/nowhere.json");
        const auto device = openAny();
        QVERIFY(!device);
        QCOMPARE(device.error().code, ErrorCode::NoDevice);
        QVERIFY2(device.error().message.find("driver") != std::string::npos,
            device.error().message.c_str());
    }
    void devicesThatComeBackAreFoundAgain()
    {
        qputenv("VK_DRIVER_FILES", "/nowhere.json");
        qputenv("VK_ICD_FILENAMES", "/nowhere.json");
        QVERIFY(!openAny());
        cleanup();
        const auto instance = vk::Instance::create();
        QVERIFY(instance.has_value());
        QVERIFY(tests::openTestDevice(*instance).has_value());
    }
    void aWishedDeviceThatIsGoneGivesTheBestOneAndSaysSo()
    {
        const auto instance = vk::Instance::create();
        const auto best = vk::Device::create(*instance);
        const auto device = vk::Device::create(*instance, { .uuid = "0123" });
        QVERIFY(best && device);
        QVERIFY(!best->wishMissing());
        QVERIFY(device->wishMissing());
        QCOMPARE(device->description(), best->description());
        const auto wished = vk::Device::create(*instance, { .uuid = best->description().uuid });
        QVERIFY(!wished->wishMissing());
    }
    void theEnvironmentTurnsValidationOn()
    {
        qputenv("TOKENGLASS_VALIDATION", "1");
        vk::ValidationLog log;
        QVERIFY(vk::Instance::create({ .log = &log })->validates());
        qputenv("TOKENGLASS_VALIDATION", "0");
        QVERIFY(!vk::Instance::create({ .log = &log })->validates());
    }
    void aMisuseIsReportedToTheLog()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        QCOMPARE(vulkan.messages(), QString());
        const vk::DeviceCore& core = vulkan.device().core();
        VkBufferCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO }; // size 0, no usage
        VkBuffer buffer = VK_NULL_HANDLE;
        core.calls.table().vkCreateBuffer(core.device, &info, nullptr, &buffer);
        if (buffer)
            core.calls.table().vkDestroyBuffer(core.device, buffer, nullptr);
        QVERIFY(vulkan.messages().contains("VUID-VkBufferCreateInfo-size"));
    }
    void aLeakedObjectIsReportedAtClose()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        const vk::DeviceCore& core = vulkan.device().core();
        VkBufferCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO };
        info.size = 16;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        VkBuffer buffer = VK_NULL_HANDLE;
        QCOMPARE(
            core.calls.table().vkCreateBuffer(core.device, &info, nullptr, &buffer), VK_SUCCESS);
        QVERIFY(vulkan.close().contains("VUID-vkDestroyDevice-device-"));
    }
    void capabilitiesOfTheTestDeviceArePlausible()
    {
        tests::VulkanFixture vulkan;
        QVERIFY2(vulkan.open(), qPrintable(vulkan.problem()));
        const vk::Capabilities& capabilities = vulkan.device().capabilities();
        QVERIFY(capabilities.subgroupSize >= 1);
        QVERIFY(capabilities.minSubgroupSize <= capabilities.subgroupSize);
        QVERIFY(capabilities.maxSubgroupSize >= capabilities.subgroupSize);
        QVERIFY(capabilities.maxStorageBufferRange >= 1u << 27); // the least that Vulkan allows
        QVERIFY(capabilities.maxTexelBufferElements >= 65536);
        QVERIFY(capabilities.maxUniformBufferRange >= 16384);
        QVERIFY(capabilities.maxPushConstantBytes >= 128);
        QVERIFY(capabilities.timestampPeriodNs > 0);
        QCOMPARE(capabilities.driverUuid.size(), size_t(32));
        QVERIFY(capabilities.maxAllocationBytes >= 1u << 30);
        QCOMPARE(vulkan.close(), QString());
    }

private:
    static Result<vk::Device> openAny()
    {
        TRY_ASSIGN(const vk::Instance instance, vk::Instance::create());
        return vk::Device::create(instance);
    }
};

QTEST_APPLESS_MAIN(TestInstance)
#include "tst_instance.moc"
