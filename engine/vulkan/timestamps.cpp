#include "engine/vulkan/timestamps.h"

#include "engine/vulkan/vk_result.h"

namespace engine::vk {

Result<Timestamps> Timestamps::create(Device& device, uint32_t maxMarkCount)
{
    DeviceCore& core = device.core();
    Timestamps result;
    result.m_core = &core;
    result.m_maxMarkCount = maxMarkCount;
    if (!core.capabilities.timestamps)
        return result;
    VkQueryPoolCreateInfo info { VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO };
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = maxMarkCount;
    VkQueryPool pool = VK_NULL_HANDLE;
    const VkResult created = core.calls.call(CallKind::CreateQueryPool,
        &VolkDeviceTable::vkCreateQueryPool, core.device, &info, nullptr, &pool);
    if (created != VK_SUCCESS)
        return errorFrom(created, "make room for " + std::to_string(maxMarkCount) + " time marks");
    result.m_pool = { core, pool };
    core.calls.table().vkResetQueryPool(core.device, pool, 0, maxMarkCount);
    return result;
}

void Timestamps::recordStart(VkCommandBuffer commands)
{
    m_labels.clear();
    if (m_pool.get())
        m_core->calls.table().vkCmdResetQueryPool(commands, m_pool.get(), 0, m_maxMarkCount);
    recordMark(commands, "start");
}

bool Timestamps::recordMark(VkCommandBuffer commands, const std::string& label)
{
    if (m_labels.size() >= m_maxMarkCount)
        return false;
    if (m_pool.get())
        m_core->calls.table().vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
            m_pool.get(), uint32_t(m_labels.size()));
    m_labels.push_back(label);
    return true;
}

Result<std::vector<TimedSpan>> Timestamps::read() const
{
    std::vector<TimedSpan> spans;
    if (!m_pool.get() || m_labels.size() < 2)
        return spans;
    std::vector<uint64_t> ticks(m_labels.size());
    const VkResult result = m_core->calls.call(CallKind::GetQueryPoolResults,
        &VolkDeviceTable::vkGetQueryPoolResults, m_core->device, m_pool.get(), 0u,
        uint32_t(ticks.size()), ticks.size() * sizeof(uint64_t), static_cast<void*>(ticks.data()),
        VkDeviceSize(sizeof(uint64_t)), VkQueryResultFlags(VK_QUERY_RESULT_64_BIT));
    if (result == VK_NOT_READY)
        return spans;
    if (result != VK_SUCCESS)
        return errorFrom(result, "give out its time marks");
    const Capabilities& capabilities = m_core->capabilities;
    const uint64_t mask = capabilities.timestampValidBits >= 64
        ? ~uint64_t(0)
        : (uint64_t(1) << capabilities.timestampValidBits) - 1;
    for (size_t i = 1; i < ticks.size(); ++i) {
        const uint64_t elapsed = (ticks[i] - ticks[i - 1]) & mask; // the counter may have wrapped
        spans.push_back({ m_labels[i], double(elapsed) * capabilities.timestampPeriodNs * 1e-6 });
    }
    return spans;
}

} // namespace engine::vk
