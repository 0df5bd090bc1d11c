#include "engine/vulkan/device_core.h"

#include <algorithm>

namespace engine::vk {

DeviceCore::~DeviceCore()
{
    if (!device)
        return;
    if (calls.isLost()) { // some drivers crash when a lost device is touched
        *instanceAbandoned = true;
        return;
    }
    if (timeline)
        calls.table().vkDestroySemaphore(device, timeline, nullptr);
    calls.table().vkDestroyDevice(device, nullptr);
}

uint64_t DeviceCore::availableBytes(uint32_t heapIndex) const
{
    const uint64_t heapBytes = memory.memoryHeaps[heapIndex].size;
    const uint64_t used = allocations.heapBytes(heapIndex);
    const uint64_t share = heapBytes / 10 * 8;
    uint64_t available = share > used ? share - used : 0;
    if (capabilities.memoryBudget) {
        VkPhysicalDeviceMemoryProperties2 properties {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2
        };
        VkPhysicalDeviceMemoryBudgetPropertiesEXT budget {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
        };
        properties.pNext = &budget;
        vkGetPhysicalDeviceMemoryProperties2(physicalDevice, &properties);
        const uint64_t free = budget.heapBudget[heapIndex] > budget.heapUsage[heapIndex]
            ? budget.heapBudget[heapIndex] - budget.heapUsage[heapIndex]
            : 0;
        // Never more than the heap itself holds, whatever the driver says.
        available = std::min(free, heapBytes > used ? heapBytes - used : 0);
    }
    if (heapLimitBytes)
        available = std::min(available, heapLimitBytes > used ? heapLimitBytes - used : 0);
    return available;
}

void DeviceCore::setName(VkObjectType type, uint64_t handle, const std::string& name) const
{
    if (!validates || name.empty())
        return;
    VkDebugUtilsObjectNameInfoEXT info { VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT };
    info.objectType = type;
    info.objectHandle = handle;
    info.pObjectName = name.c_str();
    vkSetDebugUtilsObjectNameEXT(device, &info);
}

} // namespace engine::vk
