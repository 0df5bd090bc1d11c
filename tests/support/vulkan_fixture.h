#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/instance.h"
#include "engine/vulkan/validation_log.h"

#include <QString>
#include <optional>

namespace tests {

/// One instance with validation and synchronization validation, and one device, for a GPU test
/// program: the software device, or with TOKENGLASS_TEST_DEVICE=best the one a person would get.
///   tests::VulkanFixture m_vulkan;
///   void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
///   void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }
/// Everything made from the device must be gone before close().
class VulkanFixture {
public:
    bool open(const engine::vk::DeviceOptions& options = {});
    /// Destroys device and instance; returns all validation messages, those about leaked objects
    /// included.
    QString close();

    const QString& problem() const { return m_problem; }
    const engine::vk::Instance& instance() const { return *m_instance; }
    engine::vk::Device& device() { return *m_device; }
    /// The messages so far.
    QString messages() const;
    void forgetMessages() { m_log.clear(); }

private:
    engine::vk::ValidationLog m_log;
    std::optional<engine::vk::Instance> m_instance;
    std::optional<engine::vk::Device> m_device;
    QString m_problem;
};

/// Opens the device that GPU tests use: software, unless TOKENGLASS_TEST_DEVICE=best.
engine::Result<engine::vk::Device> openTestDevice(
    const engine::vk::Instance& instance, engine::vk::DeviceOptions options = {});

/// Loads the software driver and the validation layers so that they are never unloaded: a leak checker
/// cannot name what an unloaded library allocated. VulkanFixture::open does it.
void keepSoftwareDriverLoaded();

} // namespace tests
