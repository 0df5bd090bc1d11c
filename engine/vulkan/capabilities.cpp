#include "engine/vulkan/capabilities.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace engine::vk {

namespace {
    std::string hexDigits(const uint8_t (&bytes)[VK_UUID_SIZE])
    {
        constexpr char kDigits[] = "0123456789abcdef";
        std::string text;
        for (uint8_t byte : bytes) {
            text += kDigits[byte >> 4];
            text += kDigits[byte & 15];
        }
        return text;
    }

    const char* kindName(VkPhysicalDeviceType type)
    {
        switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
            return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
            return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
            return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU:
            return "software";
        default:
            return "other";
        }
    }

    std::vector<VkQueueFamilyProperties> queueFamilies(VkPhysicalDevice device)
    {
        uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
        return families;
    }

    /// A family for compute; one without graphics is preferred, so as not to compete with the
    /// desktop's drawing.
    std::optional<uint32_t> computeFamily(const std::vector<VkQueueFamilyProperties>& families)
    {
        std::optional<uint32_t> any;
        for (uint32_t i = 0; i < families.size(); ++i) {
            const VkQueueFlags flags = families[i].queueFlags;
            if (!(flags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
                continue;
            if (!(flags & VK_QUEUE_GRAPHICS_BIT))
                return i;
            if (!any)
                any = i;
        }
        return any;
    }

    uint64_t largestDeviceHeap(VkPhysicalDevice device)
    {
        VkPhysicalDeviceMemoryProperties memory;
        vkGetPhysicalDeviceMemoryProperties(device, &memory);
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
            if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
                bytes = std::max<uint64_t>(bytes, memory.memoryHeaps[i].size);
        return bytes;
    }

    std::string problemOf(VkPhysicalDevice device, uint32_t apiVersion)
    {
        if (apiVersion < VK_API_VERSION_1_2)
            return "needs Vulkan 1.2, has " + std::to_string(VK_API_VERSION_MAJOR(apiVersion)) + "."
                + std::to_string(VK_API_VERSION_MINOR(apiVersion));
        if (!computeFamily(queueFamilies(device)))
            return "has no compute queue";
        return {};
    }

    /// Links structures into a pNext chain, for queries.
    class Chain {
    public:
        explicit Chain(void* head)
            : m_last(static_cast<VkBaseOutStructure*>(head))
        {
        }
        void add(void* structure)
        {
            m_last->pNext = static_cast<VkBaseOutStructure*>(structure);
            m_last = m_last->pNext;
        }

    private:
        VkBaseOutStructure* m_last;
    };

    void probeLimits(const VkPhysicalDeviceLimits& limits, Capabilities& result)
    {
        result.maxStorageBufferRange = limits.maxStorageBufferRange;
        result.maxUniformBufferRange = limits.maxUniformBufferRange;
        result.maxTexelBufferElements = limits.maxTexelBufferElements;
        result.maxAllocationCount = limits.maxMemoryAllocationCount;
        result.storageOffsetAlignment = limits.minStorageBufferOffsetAlignment;
        result.uniformOffsetAlignment = limits.minUniformBufferOffsetAlignment;
        result.texelOffsetAlignment = limits.minTexelBufferOffsetAlignment;
        result.maxPushConstantBytes = limits.maxPushConstantsSize;
        result.maxWorkgroupInvocations = limits.maxComputeWorkGroupInvocations;
        std::copy_n(limits.maxComputeWorkGroupSize, 3, result.maxWorkgroupSize.begin());
        std::copy_n(limits.maxComputeWorkGroupCount, 3, result.maxWorkgroupCount.begin());
        result.sharedMemoryBytes = limits.maxComputeSharedMemorySize;
        result.maxStorageBufferBindings = std::min(
            limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers);
        result.maxUniformBufferBindings = std::min(
            limits.maxPerStageDescriptorUniformBuffers, limits.maxDescriptorSetUniformBuffers);
        result.maxUniformTexelBindings = std::min(
            limits.maxPerStageDescriptorSampledImages, limits.maxDescriptorSetSampledImages);
        result.maxStorageTexelBindings = std::min(
            limits.maxPerStageDescriptorStorageImages, limits.maxDescriptorSetStorageImages);
        result.timestampPeriodNs = double(limits.timestampPeriod);
    }

    void probeFeatures(
        VkPhysicalDevice device, Capabilities& result, bool sizeControl, bool dotProduct)
    {
        VkPhysicalDeviceFeatures2 features { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 };
        VkPhysicalDeviceVulkan11Features features11 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES
        };
        VkPhysicalDeviceVulkan12Features features12 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
        };
        VkPhysicalDeviceSubgroupSizeControlFeatures size {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES
        };
        VkPhysicalDeviceShaderIntegerDotProductFeatures dot {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES
        };
        Chain chain(&features);
        chain.add(&features11);
        chain.add(&features12);
        if (sizeControl)
            chain.add(&size);
        if (dotProduct)
            chain.add(&dot);
        vkGetPhysicalDeviceFeatures2(device, &features);

        result.shaderFloat16 = features12.shaderFloat16;
        result.shaderInt8 = features12.shaderInt8;
        result.shaderInt16 = features.features.shaderInt16;
        result.shaderInt64 = features.features.shaderInt64;
        result.storageBuffer16Bit = features11.storageBuffer16BitAccess;
        result.uniformBuffer16Bit = features11.uniformAndStorageBuffer16BitAccess;
        result.storageBuffer8Bit = features12.storageBuffer8BitAccess;
        result.subgroupExtendedTypes = features12.shaderSubgroupExtendedTypes;
        result.bufferDeviceAddress = features12.bufferDeviceAddress;
        result.subgroupSizeRequirable = size.subgroupSizeControl && size.computeFullSubgroups;
        result.integerDotProduct = dot.shaderIntegerDotProduct;
    }

    void probeProperties(
        VkPhysicalDevice device, Capabilities& result, bool sizeControl, bool dotProduct)
    {
        VkPhysicalDeviceProperties2 properties { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 };
        VkPhysicalDeviceVulkan11Properties properties11 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES
        };
        VkPhysicalDeviceVulkan12Properties properties12 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES
        };
        VkPhysicalDeviceSubgroupSizeControlProperties size {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES
        };
        VkPhysicalDeviceShaderIntegerDotProductProperties dot {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES
        };
        Chain chain(&properties);
        chain.add(&properties11);
        chain.add(&properties12);
        if (sizeControl)
            chain.add(&size);
        if (dotProduct)
            chain.add(&dot);
        vkGetPhysicalDeviceProperties2(device, &properties);

        probeLimits(properties.properties.limits, result);
        result.roundToEvenFloat16 = properties12.shaderRoundingModeRTEFloat16;
        result.roundToEvenFloat32 = properties12.shaderRoundingModeRTEFloat32;
        result.denormalsKeptFloat32 = properties12.shaderDenormPreserveFloat32;
        result.maxAllocationBytes = properties11.maxMemoryAllocationSize;
        result.subgroupSize = properties11.subgroupSize;
        const bool inCompute = properties11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT;
        const VkSubgroupFeatureFlags operations
            = inCompute ? properties11.subgroupSupportedOperations : 0;
        result.subgroupArithmetic = operations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
        result.subgroupClustered = operations & VK_SUBGROUP_FEATURE_CLUSTERED_BIT;
        result.subgroupShuffle = operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
        result.subgroupBallot = operations & VK_SUBGROUP_FEATURE_BALLOT_BIT;

        const bool requirable = result.subgroupSizeRequirable
            && (size.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
        result.subgroupSizeRequirable = requirable;
        result.minSubgroupSize = requirable ? size.minSubgroupSize : result.subgroupSize;
        result.maxSubgroupSize = requirable ? size.maxSubgroupSize : result.subgroupSize;
        result.integerDotAccelerated = dot.integerDotProduct4x8BitPackedSignedAccelerated;

        const VkPhysicalDeviceType type = properties.properties.deviceType;
        result.softwareDevice = type == VK_PHYSICAL_DEVICE_TYPE_CPU;
        result.unifiedMemory
            = result.softwareDevice || type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
        result.apiVersion = properties.properties.apiVersion;
        result.vendorId = properties.properties.vendorID;
        result.deviceId = properties.properties.deviceID;
        result.driverUuid = hexDigits(properties11.driverUUID);
        std::copy_n(properties.properties.pipelineCacheUUID, VK_UUID_SIZE,
            result.pipelineCacheUuid.begin());
    }
}

bool hasExtension(VkPhysicalDevice device, const char* name)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    return std::any_of(
        extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
            return std::strcmp(extension.extensionName, name) == 0;
        });
}

Capabilities probeCapabilities(VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties plain;
    vkGetPhysicalDeviceProperties(device, &plain);
    const bool is13
        = plain.apiVersion >= VK_API_VERSION_1_3 && volkGetInstanceVersion() >= VK_API_VERSION_1_3;
    const bool sizeControl
        = is13 || hasExtension(device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    const bool dotProduct
        = is13 || hasExtension(device, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);

    Capabilities result;
    probeFeatures(device, result, sizeControl, dotProduct);
    probeProperties(device, result, sizeControl, dotProduct);
    result.memoryBudget = hasExtension(device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);

    const std::vector<VkQueueFamilyProperties> families = queueFamilies(device);
    if (const std::optional<uint32_t> family = computeFamily(families)) {
        result.computeQueueFamily = *family;
        result.timestampValidBits = families[*family].timestampValidBits;
        result.timestamps = result.timestampValidBits > 0;
    }
    return result;
}

DeviceDescription describeDevice(VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties plain;
    vkGetPhysicalDeviceProperties(device, &plain);
    DeviceDescription result;
    result.name = plain.deviceName;
    result.kind = kindName(plain.deviceType);
    result.heapBytes = largestDeviceHeap(device);
    result.problem = problemOf(device, plain.apiVersion);
    if (plain.apiVersion < VK_API_VERSION_1_2)
        return result;

    VkPhysicalDeviceProperties2 properties { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 };
    VkPhysicalDeviceDriverProperties driver { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES };
    VkPhysicalDeviceIDProperties identity { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES };
    Chain chain(&properties);
    chain.add(&driver);
    chain.add(&identity);
    vkGetPhysicalDeviceProperties2(device, &properties);
    const std::string driverName = driver.driverName;
    const std::string driverInfo = driver.driverInfo;
    result.driver = driverInfo.empty() ? driverName : driverInfo;
    result.uuid = hexDigits(identity.deviceUUID);
    return result;
}

} // namespace engine::vk
