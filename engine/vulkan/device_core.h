#pragma once

#include "engine/vulkan/allocation_counter.h"
#include "engine/vulkan/capabilities.h"
#include "engine/vulkan/device_calls.h"
#include "engine/vulkan/device_description.h"

#include <atomic>
#include <string>
#include <utility>

namespace engine::vk {

/// What all objects of one device refer to; its address stays when the Device is moved.
/// Inside engine::vk only; everyone else uses Device.
struct DeviceCore {
    explicit DeviceCore(const VolkDeviceTable& table)
        : calls(table)
    {
    }
    DeviceCore(const DeviceCore&) = delete;
    DeviceCore& operator=(const DeviceCore&) = delete;
    ~DeviceCore();

    /// Bytes that may still be allocated from a heap: the driver's budget, else 80 % of its size
    /// less what is in use.
    uint64_t availableBytes(uint32_t heapIndex) const;
    /// Gives an object its purpose as name in validation messages.
    void setName(VkObjectType type, uint64_t handle, const std::string& name) const;

    std::atomic<bool>* instanceAbandoned = nullptr;
    bool validates = false;
    bool wishMissing = false;
    VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    VkSemaphore timeline = VK_NULL_HANDLE; ///< reaches n when submission n is done
    uint64_t submittedValue = 0;
    uint64_t completedValue = 0; ///< the highest that a wait has seen
    DeviceCalls calls;
    Capabilities capabilities;
    DeviceDescription description;
    VkPhysicalDeviceMemoryProperties memory {};
    AllocationCounter allocations;
    uint64_t heapLimitBytes = 0;
};

/// Owns one Vulkan object of a device: destroyed with it, but leaked when the device is lost.
template <typename Handle, auto Destroy> class DeviceObject {
public:
    DeviceObject() = default;
    DeviceObject(DeviceCore& core, Handle handle)
        : m_core(&core)
        , m_handle(handle)
    {
    }
    DeviceObject(DeviceObject&& other) noexcept
        : m_core(std::exchange(other.m_core, nullptr))
        , m_handle(std::exchange(other.m_handle, Handle(VK_NULL_HANDLE)))
    {
    }
    DeviceObject& operator=(DeviceObject&& other) noexcept
    {
        DeviceObject old(std::move(*this));
        m_core = std::exchange(other.m_core, nullptr);
        m_handle = std::exchange(other.m_handle, Handle(VK_NULL_HANDLE));
        return *this;
    }
    ~DeviceObject()
    {
        if (m_core && m_handle && !m_core->calls.isLost())
            (m_core->calls.table().*Destroy)(m_core->device, m_handle, nullptr);
    }

    Handle get() const { return m_handle; }

private:
    DeviceCore* m_core = nullptr;
    Handle m_handle = VK_NULL_HANDLE;
};

} // namespace engine::vk
