#pragma once

#include "engine/vulkan/device_core.h"

#include <cstdint>
#include <string>

namespace engine::vk {

/// A finished list of commands, made by Recorder; may be submitted any number of times, one at a
/// time. Pipelines, sets and buffers it uses must outlive it. Waits for its last run when
/// destroyed.
class Recording {
public:
    Recording(DeviceCore& core, VkCommandPool pool, VkCommandBuffer commands, std::string name);
    Recording(Recording&& other) noexcept = default;
    Recording& operator=(Recording&& other) noexcept;
    ~Recording();

    const std::string& name() const { return m_name; }
    VkCommandBuffer commands() const { return m_commands; }
    VkCommandPool pool() const { return m_pool.get(); }

    /// Of its last submission, 0 before any.
    uint64_t lastValue() const { return m_lastValue; }
    void setCommands(VkCommandBuffer commands) { m_commands = commands; }
    void setLastValue(uint64_t value) { m_lastValue = value; }

private:
    void waitForLast();

    DeviceCore* m_core;
    DeviceObject<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool> m_pool;
    VkCommandBuffer m_commands = VK_NULL_HANDLE; ///< freed with its pool
    std::string m_name;
    uint64_t m_lastValue = 0;
};

} // namespace engine::vk
