#pragma once

#include "engine/vulkan/allocation_counter.h"
#include "engine/vulkan/vulkan_api.h"

#include <cstdint>
#include <optional>

namespace engine::vk {

/// The memory type for a domain among those that typeBits allows; none when the device has no
/// suitable one. On unified memory, Weights and Device prefer memory that the host can write too.
std::optional<uint32_t> chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory,
    uint32_t typeBits, BufferDomain domain, bool unifiedMemory);

} // namespace engine::vk
