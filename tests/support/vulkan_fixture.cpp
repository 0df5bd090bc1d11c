#include "tests/support/vulkan_fixture.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace engine;

/// Asked by the leak checker, where there is one. The driver, the layers and the loader keep memory of
/// their own, and a lost device is leaked on purpose; objects that we forget are found by the
/// validation layers at close().
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:libvulkan_lvp.so\nleak:libVkLayer_khronos_validation.so\nleak:libvulkan.so\n";
}

namespace tests {

void keepSoftwareDriverLoaded()
{
#ifdef RTLD_NODELETE
    // Absent on some systems, which is fine: then there is nothing to keep.
    for (const char* library : { "libvulkan_lvp.so", "libVkLayer_khronos_validation.so" })
        (void)dlopen(library, RTLD_NOW | RTLD_NODELETE);
#endif
}

Result<vk::Device> openTestDevice(const vk::Instance& instance, vk::DeviceOptions options)
{
    const char* wish = std::getenv("TOKENGLASS_TEST_DEVICE");
    if (wish && std::strcmp(wish, "best") == 0)
        return vk::Device::create(instance, options);
    TRY_ASSIGN(const vk::FoundDevices found, instance.devices());
    for (const DeviceDescription& description : found.descriptions)
        if (description.kind == "software")
            options.uuid = description.uuid;
    if (options.uuid.empty())
        return Error::noDevice(
            "GPU tests need the software device (package mesa-vulkan-drivers), or "
            "TOKENGLASS_TEST_DEVICE=best");
    return vk::Device::create(instance, options);
}

bool VulkanFixture::open(const vk::DeviceOptions& options)
{
    keepSoftwareDriverLoaded();
    auto instance = vk::Instance::create({ .validation = true, .log = &m_log });
    if (!instance) {
        m_problem = QString::fromStdString(instance.error().message);
        return false;
    }
    m_instance.emplace(std::move(*instance));
    auto device = openTestDevice(*m_instance, options);
    if (!device) {
        m_problem = QString::fromStdString(device.error().message);
        return false;
    }
    m_device.emplace(std::move(*device));
    return true;
}

QString VulkanFixture::close()
{
    m_device.reset();
    m_instance.reset();
    return messages();
}

QString VulkanFixture::messages() const
{
    QString all;
    for (const std::string& message : m_log.messages())
        all += QString::fromStdString(message) + "\n";
    return all;
}

} // namespace tests
