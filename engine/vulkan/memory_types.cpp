#include "engine/vulkan/memory_types.h"

#include <span>

namespace engine::vk {

namespace {
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags kMapped
        = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // Types with any other property (protected, lazily allocated, vendors' uncached ones) are
    // special: left alone.
    constexpr VkMemoryPropertyFlags kOrdinary = kLocal | kMapped | kCached;

    // Wanted properties, best first.
    constexpr VkMemoryPropertyFlags kForDevice[] = { kLocal, 0 };
    constexpr VkMemoryPropertyFlags kForUnified[] = { kLocal | kMapped, kLocal, 0 };
    constexpr VkMemoryPropertyFlags kForUpload[] = { kMapped };
    constexpr VkMemoryPropertyFlags kForReadback[] = { kMapped | kCached, kMapped };
    constexpr VkMemoryPropertyFlags kForUniform[] = { kLocal | kMapped, kMapped };

    std::span<const VkMemoryPropertyFlags> wishes(BufferDomain domain, bool unifiedMemory)
    {
        switch (domain) {
        case BufferDomain::Upload:
            return kForUpload;
        case BufferDomain::Readback:
            return kForReadback;
        case BufferDomain::Uniform:
            return kForUniform;
        default:
            break;
        }
        if (unifiedMemory)
            return kForUnified;
        return kForDevice;
    }
}

std::optional<uint32_t> chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory,
    uint32_t typeBits, BufferDomain domain, bool unifiedMemory)
{
    for (VkMemoryPropertyFlags wanted : wishes(domain, unifiedMemory))
        for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
            if ((typeBits & (1u << i)) && (flags & wanted) == wanted && (flags & ~kOrdinary) == 0)
                return i;
        }
    return std::nullopt;
}

} // namespace engine::vk
