#include "engine/kernels/device_probe.h"

#include "tests/support/vulkan_fixture.h"

#include <QElapsedTimer>
#include <QtTest>
#include <cmath>

using namespace engine;

/// What the probe says of the device that tests use, with validation on.
class TestDeviceProbe : public QObject {
    Q_OBJECT

    tests::VulkanFixture m_vulkan;
    Result<DeviceProbe> m_probe = Error::badRequest("not run");
    qint64 m_ms = 0;

private slots:
    void initTestCase()
    {
        QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem()));
        QElapsedTimer timer;
        timer.start();
        m_probe = probeDevice(m_vulkan.device());
        m_ms = timer.elapsed();
        QVERIFY2(m_probe, m_probe ? "" : m_probe.error().message.c_str());
        qInfo("texel %.2f GB/s, storage %.2f GB/s, dispatch %.1f us, submit and wait %.1f us, %.1f "
              "GMAC/s in %lld ms",
            m_probe->texelGigabytesPerS, m_probe->storageGigabytesPerS, m_probe->dispatchUs,
            m_probe->submitAndWaitUs, m_probe->gigaMultiplyAddsPerS, (long long)m_ms);
    }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void whatIsReadIsLargerThanACache() { QVERIFY(m_probe->streamBytes >= uint64_t(64) << 20); }
    void figuresAreOfADeviceThatExists()
    {
        // From a busy processor under a sanitizer to ten times the fastest card of today.
        const auto isBetween = [](double value, double lowest, double highest) {
            return std::isfinite(value) && value >= lowest && value <= highest;
        };
        QVERIFY(isBetween(m_probe->texelGigabytesPerS, 0.02, 1e5));
        QVERIFY(isBetween(m_probe->storageGigabytesPerS, 0.02, 1e5));
        QVERIFY(isBetween(m_probe->dispatchUs, 0.05, 1e5));
        QVERIFY(isBetween(m_probe->submitAndWaitUs, 0.5, 1e6));
        QVERIFY(isBetween(m_probe->gigaMultiplyAddsPerS, 0.2, 1e6));
    }
    void itEndsSoon()
    {
        constexpr qint64 kMostMs
            = 20'000; // 2 s measured; validation, sanitizers and busy processors take their share
        QVERIFY2(m_ms < kMostMs, qPrintable(QString::number(m_ms)));
    }
    void nothingOfItStaysOnTheDevice()
    {
        QCOMPARE(m_vulkan.device().allocations().count(), uint64_t(0));
        QCOMPARE(m_vulkan.messages(), QString());
    }
    void aDeviceWithoutRoomSaysSo()
    {
        auto device = tests::openTestDevice(m_vulkan.instance(), { .heapLimitBytes = 8 << 20 });
        QVERIFY2(device, device ? "" : device.error().message.c_str());
        const auto probe = probeDevice(*device);
        QVERIFY(!probe);
        QCOMPARE(probe.error().code, ErrorCode::OutOfMemory);
    }
};

QTEST_GUILESS_MAIN(TestDeviceProbe)
#include "tst_device_probe.moc"
