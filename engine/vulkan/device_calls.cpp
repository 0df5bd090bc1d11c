#include "engine/vulkan/device_calls.h"

namespace engine::vk {

const char* callKindName(CallKind kind)
{
    constexpr const char* kNames[] = { "vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory",
        "vkMapMemory", "vkCreateBufferView", "vkCreateShaderModule", "vkCreatePipelineCache",
        "vkCreateDescriptorSetLayout", "vkCreatePipelineLayout", "vkCreateComputePipelines",
        "vkCreateDescriptorPool", "vkAllocateDescriptorSets", "vkUpdateDescriptorSets",
        "vkCreateCommandPool", "vkResetCommandPool", "vkAllocateCommandBuffers",
        "vkBeginCommandBuffer", "vkEndCommandBuffer", "vkCreateSemaphore", "vkWaitSemaphores",
        "vkQueueSubmit", "vkCreateQueryPool", "vkGetQueryPoolResults" };
    static_assert(std::size(kNames) == size_t(CallKind::Count));
    return kNames[size_t(kind)];
}

void DeviceCalls::resetCounts()
{
    for (std::atomic<uint64_t>& count : m_counts)
        count = 0;
}

void DeviceCalls::injectFault(const CallFault& fault)
{
    m_fault = fault;
    m_faultFired = false;
    m_callsUntilFault = fault.callNumber;
}

void DeviceCalls::clearFault() { m_callsUntilFault = 0; }

VkResult DeviceCalls::nextFault(CallKind kind)
{
    if (m_callsUntilFault == 0 || (m_fault.kind && *m_fault.kind != kind))
        return VK_SUCCESS;
    if (--m_callsUntilFault > 0)
        return VK_SUCCESS;
    m_faultFired = true;
    return m_fault.result;
}

VkResult DeviceCalls::notice(VkResult result)
{
    if (result == VK_ERROR_DEVICE_LOST)
        m_lost = true;
    return result;
}

} // namespace engine::vk
