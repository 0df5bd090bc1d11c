#pragma once

#include "engine/base/error.h"
#include "engine/vulkan/vulkan_api.h"

#include <string>

namespace engine::vk {

/// "VK_ERROR_DEVICE_LOST"
std::string resultName(VkResult result);

/// The Error for a failed Vulkan call. `what` continues "the graphics device could not ...".
Error errorFrom(VkResult result, const std::string& what);

/// "5.1 GB", "640 KB", "12 bytes": decimal units, as a message names a size.
std::string bytesInWords(uint64_t bytes);

} // namespace engine::vk
