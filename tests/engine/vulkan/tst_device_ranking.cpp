#include "engine/vulkan/device_ranking.h"

#include <QtTest>

using namespace engine;

namespace {
DeviceDescription fake(
    const char* name, const char* kind, const char* uuid, uint64_t heapBytes = 1000)
{
    return { .name = name,
        .kind = kind,
        .driver = "fake",
        .uuid = uuid,
        .heapBytes = heapBytes,
        .problem = {} };
}
}

class TestDeviceRanking : public QObject {
    Q_OBJECT
private slots:
    void discreteBeforeIntegratedBeforeVirtualBeforeSoftwareBeforeOther()
    {
        const std::vector<DeviceDescription> devices { fake("llvmpipe", "software", "a"),
            fake("odd", "other", "b"), fake("Iris", "integrated", "c"),
            fake("virtio", "virtual", "d"), fake("Radeon", "discrete", "e") };
        QCOMPARE(vk::rankDevices(devices), (std::vector<size_t> { 4, 2, 3, 0, 1 }));
    }
    void withinAKindTheLargerHeapWinsThenTheDriversOrder()
    {
        const std::vector<DeviceDescription> devices { fake("small", "discrete", "a", 10),
            fake("large", "discrete", "b", 20), fake("large too", "discrete", "c", 20) };
        QCOMPARE(vk::rankDevices(devices), (std::vector<size_t> { 1, 2, 0 }));
    }
    void theSoftwareDeviceIsUsedOnlyWhenAlone()
    {
        std::vector<DeviceDescription> devices { fake("llvmpipe", "software", "a", 1u << 30) };
        QCOMPARE(vk::chooseDevice(devices, "")->index, size_t(0));
        devices.push_back(fake("Iris", "integrated", "b", 1));
        QCOMPARE(vk::chooseDevice(devices, "")->index, size_t(1));
    }
    void theUsersChoiceWinsByIdentityWhateverTheOrder()
    {
        std::vector<DeviceDescription> devices { fake("Radeon", "discrete", "r"),
            fake("llvmpipe", "software", "s") };
        QCOMPARE(*vk::chooseDevice(devices, "s"), (vk::DeviceChoice { 1, false }));
        std::swap(devices[0], devices[1]);
        QCOMPARE(*vk::chooseDevice(devices, "s"), (vk::DeviceChoice { 0, false }));
    }
    void aChosenDeviceThatIsGoneGivesTheNextBestAndSaysSo()
    {
        const std::vector<DeviceDescription> devices { fake("llvmpipe", "software", "s"),
            fake("Iris", "integrated", "i") };
        QCOMPARE(*vk::chooseDevice(devices, "gone"), (vk::DeviceChoice { 1, true }));
    }
    void anUnusableDeviceIsLastAndNeverChosen()
    {
        std::vector<DeviceDescription> devices { fake("old", "discrete", "o"),
            fake("llvmpipe", "software", "s") };
        devices[0].problem = "needs Vulkan 1.2, has 1.1";
        QCOMPARE(vk::rankDevices(devices), (std::vector<size_t> { 1, 0 }));
        QCOMPARE(*vk::chooseDevice(devices, "o"), (vk::DeviceChoice { 1, true }));
        devices.pop_back();
        const auto choice = vk::chooseDevice(devices, "");
        QVERIFY(!choice);
        QCOMPARE(choice.error().code, ErrorCode::NoDevice);
        QVERIFY(choice.error().message.find("needs Vulkan 1.2, has 1.1") != std::string::npos);
    }
    void noDeviceAtAllIsSaidInWords()
    {
        const auto choice = vk::chooseDevice({}, "");
        QVERIFY(!choice);
        QCOMPARE(choice.error().code, ErrorCode::NoDevice);
        QVERIFY(choice.error().message.find("driver") != std::string::npos);
    }
    void aPersonMayNameADeviceByUuidItsBeginningOrAPartOfTheName()
    {
        const std::vector<DeviceDescription> devices { fake("AMD Radeon RX 7800", "discrete",
                                                           "abcd0001"),
            fake("AMD Radeon Graphics", "integrated", "abce0002") };
        QCOMPARE(*vk::findDevice(devices, "abcd0001"), size_t(0));
        QCOMPARE(*vk::findDevice(devices, "ABCE"), size_t(1));
        QCOMPARE(*vk::findDevice(devices, "rx 7800"), size_t(0));
        QCOMPARE(
            vk::findDevice(devices, "radeon").error().code, ErrorCode::BadRequest); // two match
        QVERIFY(vk::findDevice(devices, "geforce").error().message.find("AMD Radeon Graphics")
            != std::string::npos);
        QVERIFY(!vk::findDevice(devices, ""));
    }
};

QTEST_APPLESS_MAIN(TestDeviceRanking)
#include "tst_device_ranking.moc"
