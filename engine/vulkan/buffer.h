#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/device_core.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace engine::vk {

struct BufferOptions {
    uint64_t bytes = 0; ///< at least 1; rounded up to a multiple of 16
    BufferDomain domain = BufferDomain::Device;
    std::string purpose; ///< "KV cache": named in errors and validation messages
};

/// A range of memory on a device, with its own allocation.
/// OutOfMemory, naming bytes and purpose, when a limit or the heap's budget says so or the driver
/// does. The contents start undefined. Any thread may create; nothing may be in flight that uses it
/// when it is destroyed.
class Buffer {
public:
    static Result<Buffer> create(Device& device, const BufferOptions& options);

    uint64_t bytes() const { return m_bytes; }
    BufferDomain domain() const { return m_domain; }
    const std::string& purpose() const { return m_purpose; }
    VkBuffer handle() const { return m_buffer.get(); }

    /// The contents, persistently mapped and coherent; empty when the host cannot see them. Upload,
    /// Readback and Uniform always have it; Weights and Device only on unified memory, such as the
    /// software device's.
    std::span<std::byte> mapped() const { return m_mapped; }
    template <typename T> std::span<T> mappedAs() const
    {
        return { reinterpret_cast<T*>(m_mapped.data()), m_mapped.size() / sizeof(T) };
    }

    /// For shaders with buffer references; 0 without Capabilities::bufferDeviceAddress.
    uint64_t deviceAddress() const { return m_deviceAddress; }

private:
    Buffer() = default;

    CountedAllocation m_counted;
    DeviceObject<VkDeviceMemory, &VolkDeviceTable::vkFreeMemory> m_memory;
    DeviceObject<VkBuffer, &VolkDeviceTable::vkDestroyBuffer> m_buffer;
    std::span<std::byte> m_mapped;
    uint64_t m_bytes = 0;
    uint64_t m_deviceAddress = 0;
    BufferDomain m_domain = BufferDomain::Device;
    std::string m_purpose;
};

} // namespace engine::vk
