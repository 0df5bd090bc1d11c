#include "engine/vulkan/vk_result.h"

#include <cstdio>

namespace engine::vk {

namespace {
    struct ResultRow {
        VkResult result;
        const char* name;
        ErrorCode code;
        const char* words;
    };
    constexpr ResultRow kResults[] = {
        { VK_SUCCESS, "VK_SUCCESS", ErrorCode::Unsupported, "success" },
        { VK_NOT_READY, "VK_NOT_READY", ErrorCode::Unsupported, "not ready" },
        { VK_TIMEOUT, "VK_TIMEOUT", ErrorCode::DeviceLost, "it did not finish in time" },
        { VK_INCOMPLETE, "VK_INCOMPLETE", ErrorCode::Unsupported, "incomplete" },
        { VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY", ErrorCode::OutOfMemory,
            "the computer is out of memory" },
        { VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY", ErrorCode::OutOfMemory,
            "the device is out of memory" },
        { VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION", ErrorCode::OutOfMemory,
            "memory is too fragmented" },
        { VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY", ErrorCode::OutOfMemory,
            "its descriptor pool is full" },
        { VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL", ErrorCode::OutOfMemory,
            "its descriptor pool is fragmented" },
        { VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", ErrorCode::OutOfMemory,
            "too many objects exist already" },
        { VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST", ErrorCode::DeviceLost,
            "the driver reports that the device is lost" },
        { VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", ErrorCode::NoDevice,
            "the driver could not be initialised" },
        { VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER", ErrorCode::NoDevice,
            "no suitable driver is installed" },
        { VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED", ErrorCode::OutOfMemory,
            "its memory could not be mapped" },
        { VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT", ErrorCode::Unsupported,
            "a layer is not installed" },
        { VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT", ErrorCode::Unsupported,
            "the driver lacks an extension" },
        { VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", ErrorCode::Unsupported,
            "the driver lacks a feature" },
        { VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED", ErrorCode::Unsupported,
            "the driver lacks a format" },
        { VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN", ErrorCode::Unsupported,
            "the driver gave no reason" },
    };

    const ResultRow* findRow(VkResult result)
    {
        for (const ResultRow& row : kResults)
            if (row.result == result)
                return &row;
        return nullptr;
    }
}

std::string resultName(VkResult result)
{
    if (const ResultRow* row = findRow(result))
        return row->name;
    return "VkResult " + std::to_string(int(result));
}

Error errorFrom(VkResult result, const std::string& what)
{
    const ResultRow* row = findRow(result);
    const std::string words
        = row ? std::string(row->words) + " (" + row->name + ")" : resultName(result);
    return { row ? row->code : ErrorCode::Unsupported,
        "the graphics device could not " + what + ": " + words };
}

std::string bytesInWords(uint64_t bytes)
{
    if (bytes < 1000)
        return std::to_string(bytes) + " bytes";
    constexpr const char* kUnits[] = { "KB", "MB", "GB", "TB", "PB", "EB" };
    double value = double(bytes) / 1000;
    size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < std::size(kUnits); ++unit)
        value /= 1000;
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
    return text;
}

} // namespace engine::vk
