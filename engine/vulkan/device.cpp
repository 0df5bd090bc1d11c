#include "engine/vulkan/device.h"

#include "engine/vulkan/device_core.h"
#include "engine/vulkan/device_ranking.h"
#include "engine/vulkan/memory_types.h"
#include "engine/vulkan/vk_result.h"

#include <vector>

namespace engine::vk {

namespace {
    /// The structures that switch on what Capabilities found. Built in place: they point at each
    /// other.
    struct FeatureChain {
        VkPhysicalDeviceFeatures2 features { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 };
        VkPhysicalDeviceVulkan11Features features11 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES
        };
        VkPhysicalDeviceVulkan12Features features12 {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
        };
        VkPhysicalDeviceSubgroupSizeControlFeatures sizeControl {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES
        };
        VkPhysicalDeviceShaderIntegerDotProductFeatures dotProduct {
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES
        };

        explicit FeatureChain(const Capabilities& capabilities)
        {
            features.pNext = &features11;
            features11.pNext = &features12;
            features.features.shaderInt16 = capabilities.shaderInt16;
            features.features.shaderInt64 = capabilities.shaderInt64;
            features11.storageBuffer16BitAccess = capabilities.storageBuffer16Bit;
            features11.uniformAndStorageBuffer16BitAccess = capabilities.uniformBuffer16Bit;
            features12.storageBuffer8BitAccess = capabilities.storageBuffer8Bit;
            features12.shaderFloat16 = capabilities.shaderFloat16;
            features12.shaderInt8 = capabilities.shaderInt8;
            features12.shaderSubgroupExtendedTypes = capabilities.subgroupExtendedTypes;
            features12.bufferDeviceAddress = capabilities.bufferDeviceAddress;
            features12.timelineSemaphore = VK_TRUE; // every 1.2 device has it
            features12.hostQueryReset = VK_TRUE; // likewise
            void** next = &features12.pNext;
            if (capabilities.subgroupSizeRequirable) {
                sizeControl.subgroupSizeControl = VK_TRUE;
                sizeControl.computeFullSubgroups = VK_TRUE;
                *next = &sizeControl;
                next = &sizeControl.pNext;
            }
            if (capabilities.integerDotProduct) {
                dotProduct.shaderIntegerDotProduct = VK_TRUE;
                *next = &dotProduct;
            }
        }
        FeatureChain(const FeatureChain&) = delete;
        FeatureChain& operator=(const FeatureChain&) = delete;
    };

    std::vector<const char*> neededExtensions(
        VkPhysicalDevice device, const Capabilities& capabilities)
    {
        std::vector<const char*> names;
        const auto addIfThere = [&](const char* name) {
            if (hasExtension(device, name))
                names.push_back(name);
        };
        if (capabilities.apiVersion < VK_API_VERSION_1_3
            || volkGetInstanceVersion() < VK_API_VERSION_1_3) {
            addIfThere(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
            addIfThere(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
        }
        addIfThere(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
        addIfThere(
            "VK_KHR_portability_subset"); // must be switched on where it is offered (MoltenVK)
        return names;
    }

    Result<VkDevice> createVkDevice(
        VkPhysicalDevice physicalDevice, const Capabilities& capabilities, const std::string& name)
    {
        const float priority = 0.5f; // the desktop's own drawing goes first
        VkDeviceQueueCreateInfo queue { VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO };
        queue.queueFamilyIndex = capabilities.computeQueueFamily;
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;

        const FeatureChain features(capabilities);
        const std::vector<const char*> extensions = neededExtensions(physicalDevice, capabilities);
        VkDeviceCreateInfo info { VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO };
        info.pNext = &features.features;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queue;
        info.enabledExtensionCount = uint32_t(extensions.size());
        info.ppEnabledExtensionNames = extensions.data();

        VkDevice device = VK_NULL_HANDLE;
        const VkResult created = vkCreateDevice(physicalDevice, &info, nullptr, &device);
        if (created != VK_SUCCESS)
            return errorFrom(created, "be opened (" + name + ")");
        return device;
    }
}

Device::Device(std::unique_ptr<DeviceCore> core)
    : m_core(std::move(core))
{
}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

Result<Device> Device::create(const Instance& instance, const DeviceOptions& options)
{
    TRY_ASSIGN(const FoundDevices found, instance.devices());
    TRY_ASSIGN(const DeviceChoice choice, chooseDevice(found.descriptions, options.uuid));
    VkPhysicalDevice physicalDevice = found.handles[choice.index];
    const Capabilities capabilities = probeCapabilities(physicalDevice);
    TRY_ASSIGN(VkDevice device,
        createVkDevice(physicalDevice, capabilities, found.descriptions[choice.index].name));

    VolkDeviceTable table {};
    volkLoadDeviceTable(&table, device);
    auto core = std::make_unique<DeviceCore>(table);
    core->instanceAbandoned = &instance.abandonedFlag();
    core->validates = instance.validates();
    core->physicalDevice = physicalDevice;
    core->device = device;
    core->capabilities = capabilities;
    core->description = found.descriptions[choice.index];
    if (options.hidesUnifiedMemory)
        core->capabilities.unifiedMemory = false;
    core->wishMissing = choice.wishMissing;
    core->heapLimitBytes = options.heapLimitBytes;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &core->memory);
    if (options.fault)
        core->calls.injectFault(*options.fault);
    core->calls.table().vkGetDeviceQueue(device, capabilities.computeQueueFamily, 0, &core->queue);

    VkSemaphoreTypeCreateInfo type { VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO };
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo semaphore { VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
    semaphore.pNext = &type;
    const VkResult made = core->calls.call(CallKind::CreateSemaphore,
        &VolkDeviceTable::vkCreateSemaphore, device, &semaphore, nullptr, &core->timeline);
    if (made != VK_SUCCESS)
        return errorFrom(made, "make the semaphore that orders its work");
    return Device(std::move(core));
}

const Capabilities& Device::capabilities() const { return m_core->capabilities; }
const DeviceDescription& Device::description() const { return m_core->description; }
const AllocationCounter& Device::allocations() const { return m_core->allocations; }
bool Device::wishMissing() const { return m_core->wishMissing; }
bool Device::isLost() const { return m_core->calls.isLost(); }
DeviceCalls& Device::calls() const { return m_core->calls; }
DeviceCore& Device::core() const { return *m_core; }

uint64_t Device::availableBytes(BufferDomain domain) const
{
    const std::optional<uint32_t> type
        = chooseMemoryType(m_core->memory, ~0u, domain, m_core->capabilities.unifiedMemory);
    return type ? m_core->availableBytes(m_core->memory.memoryTypes[*type].heapIndex) : 0;
}

} // namespace engine::vk
