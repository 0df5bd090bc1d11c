#pragma once

#include "engine/vulkan/vulkan_api.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace engine::vk {

/// The calls of a device that can fail or are counted.
enum class CallKind : uint8_t {
    CreateBuffer,
    AllocateMemory,
    BindBufferMemory,
    MapMemory,
    CreateBufferView,
    CreateShaderModule,
    CreatePipelineCache,
    CreateDescriptorSetLayout,
    CreatePipelineLayout,
    CreateComputePipelines,
    CreateDescriptorPool,
    AllocateDescriptorSets,
    UpdateDescriptorSets, ///< counted only
    CreateCommandPool,
    ResetCommandPool,
    AllocateCommandBuffers,
    BeginCommandBuffer,
    EndCommandBuffer,
    CreateSemaphore,
    WaitSemaphores,
    QueueSubmit,
    CreateQueryPool,
    GetQueryPoolResults,
    Count, ///< not a call
};

/// "vkAllocateMemory"
const char* callKindName(CallKind kind);

/// Makes one call fail without making it.
struct CallFault {
    std::optional<CallKind> kind; ///< none: of any kind
    uint64_t callNumber = 1; ///< the first one after injectFault is 1
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
};

/// The function table of one device, with a count per kind of call and a way for tests to make a
/// call fail. Notices the loss of the device, after which nothing of it is touched. Any thread, but
/// injectFault only while idle.
class DeviceCalls {
public:
    explicit DeviceCalls(const VolkDeviceTable& table)
        : m_table(table)
    {
    }
    DeviceCalls(const DeviceCalls&) = delete;
    DeviceCalls& operator=(const DeviceCalls&) = delete;

    /// For calls that cannot fail: destruction, recording.
    const VolkDeviceTable& table() const { return m_table; }

    /// calls.call(CallKind::CreateBuffer, &VolkDeviceTable::vkCreateBuffer, device, &info, nullptr,
    /// &buffer)
    template <typename Function, typename... Arguments>
    VkResult call(CallKind kind, Function VolkDeviceTable::*function, Arguments... arguments)
    {
        if (m_lost)
            return VK_ERROR_DEVICE_LOST;
        count(kind);
        const VkResult injected = nextFault(kind);
        return notice(injected != VK_SUCCESS ? injected : (m_table.*function)(arguments...));
    }
    void count(CallKind kind) { ++m_counts[size_t(kind)]; }
    uint64_t callCount(CallKind kind) const { return m_counts[size_t(kind)]; }
    void resetCounts();

    void injectFault(const CallFault& fault);
    void clearFault();
    /// Whether the injected fault has happened.
    bool faultFired() const { return m_faultFired; }

    bool isLost() const { return m_lost; }
    /// The device does not answer: treat it as lost.
    void markLost() { m_lost = true; }

private:
    VkResult nextFault(CallKind kind);
    VkResult notice(VkResult result);

    VolkDeviceTable m_table;
    std::array<std::atomic<uint64_t>, size_t(CallKind::Count)> m_counts {};
    CallFault m_fault;
    std::atomic<uint64_t> m_callsUntilFault = 0; ///< 0: none
    std::atomic<bool> m_faultFired = false;
    std::atomic<bool> m_lost = false;
};

} // namespace engine::vk
