#include "engine/vulkan/buffer.h"

#include "engine/vulkan/memory_types.h"
#include "engine/vulkan/vk_result.h"

namespace engine::vk {

namespace {
    constexpr uint64_t kGranuleBytes = 16; // one texel of four words

    VkBufferUsageFlags usageOf(BufferDomain domain, const Capabilities& capabilities)
    {
        VkBufferUsageFlags usage
            = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        if (domain == BufferDomain::Uniform)
            return usage | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
        usage |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        if (domain == BufferDomain::Readback)
            return usage;
        usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
        if (domain == BufferDomain::Device)
            usage |= VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
        if (domain != BufferDomain::Upload && capabilities.bufferDeviceAddress)
            usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        return usage;
    }

    Error notEnough(const BufferOptions& options, const std::string& why)
    {
        return Error::outOfMemory("not enough memory for " + options.purpose + ": it needs "
            + bytesInWords(options.bytes) + " (" + std::to_string(options.bytes) + " bytes), "
            + why);
    }

    Error failed(VkResult result, const BufferOptions& options)
    {
        const Error error = errorFrom(result, "allocate it");
        if (error.code == ErrorCode::OutOfMemory)
            return notEnough(options, error.message);
        return { error.code,
            "no buffer of " + bytesInWords(options.bytes) + " for " + options.purpose + ": "
                + error.message };
    }

    bool mustBeMapped(BufferDomain domain)
    {
        return domain == BufferDomain::Upload || domain == BufferDomain::Readback
            || domain == BufferDomain::Uniform;
    }
}

Result<Buffer> Buffer::create(Device& device, const BufferOptions& options)
{
    DeviceCore& core = device.core();
    const Capabilities& capabilities = core.capabilities;
    if (options.bytes == 0)
        return Error::badRequest("a buffer of 0 bytes was asked for " + options.purpose);
    if (options.bytes > capabilities.maxAllocationBytes)
        return notEnough(options,
            "and this device allocates at most " + bytesInWords(capabilities.maxAllocationBytes)
                + " at once");
    if (core.allocations.count() >= capabilities.maxAllocationCount)
        return notEnough(options,
            "and this device allows no more than " + std::to_string(capabilities.maxAllocationCount)
                + " allocations");

    Buffer result;
    result.m_bytes = (options.bytes + kGranuleBytes - 1) / kGranuleBytes * kGranuleBytes;
    result.m_domain = options.domain;
    result.m_purpose = options.purpose;

    VkBufferCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO };
    info.size = result.m_bytes;
    info.usage = usageOf(options.domain, capabilities);
    VkBuffer buffer = VK_NULL_HANDLE;
    const VkResult created = core.calls.call(CallKind::CreateBuffer,
        &VolkDeviceTable::vkCreateBuffer, core.device, &info, nullptr, &buffer);
    if (created != VK_SUCCESS)
        return failed(created, options);
    result.m_buffer = { core, buffer };

    VkMemoryRequirements needs;
    core.calls.table().vkGetBufferMemoryRequirements(core.device, buffer, &needs);
    const std::optional<uint32_t> type = chooseMemoryType(
        core.memory, needs.memoryTypeBits, options.domain, capabilities.unifiedMemory);
    if (!type)
        return notEnough(options,
            std::string("and this device has no memory for ") + domainName(options.domain));
    const uint32_t heapIndex = core.memory.memoryTypes[*type].heapIndex;
    const uint64_t available = core.availableBytes(heapIndex);
    if (needs.size > available)
        return notEnough(options, bytesInWords(available) + " are free");

    VkMemoryAllocateFlagsInfo flags { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO };
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    const bool hasAddress = info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocation { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
    allocation.pNext = hasAddress ? &flags : nullptr;
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = *type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult allocated = core.calls.call(CallKind::AllocateMemory,
        &VolkDeviceTable::vkAllocateMemory, core.device, &allocation, nullptr, &memory);
    if (allocated != VK_SUCCESS)
        return failed(allocated, options);
    result.m_memory = { core, memory };
    result.m_counted = CountedAllocation(core.allocations, options.domain, heapIndex, needs.size);

    const VkResult bound = core.calls.call(CallKind::BindBufferMemory,
        &VolkDeviceTable::vkBindBufferMemory, core.device, buffer, memory, VkDeviceSize(0));
    if (bound != VK_SUCCESS)
        return failed(bound, options);

    const VkMemoryPropertyFlags properties = core.memory.memoryTypes[*type].propertyFlags;
    const bool coherent = (properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        && (properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    if (mustBeMapped(options.domain) || (coherent && capabilities.unifiedMemory)) {
        void* address = nullptr;
        const VkResult mapped = core.calls.call(CallKind::MapMemory, &VolkDeviceTable::vkMapMemory,
            core.device, memory, VkDeviceSize(0), VkDeviceSize(VK_WHOLE_SIZE), VkMemoryMapFlags(0),
            &address);
        if (mapped != VK_SUCCESS)
            return failed(mapped, options);
        result.m_mapped = { static_cast<std::byte*>(address), size_t(result.m_bytes) };
    }
    if (hasAddress) {
        VkBufferDeviceAddressInfo address { VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO };
        address.buffer = buffer;
        result.m_deviceAddress = core.calls.table().vkGetBufferDeviceAddress(core.device, &address);
    }
    core.setName(VK_OBJECT_TYPE_BUFFER, uint64_t(buffer), options.purpose);
    return result;
}

} // namespace engine::vk
