#include "engine/vulkan/binding_set.h"

#include "engine/vulkan/vk_result.h"

#include <array>

namespace engine::vk {

namespace {
    bool takesTexels(BindingType type)
    {
        return type == BindingType::UniformTexel || type == BindingType::StorageTexel;
    }

    Result<VkDescriptorBufferInfo> rangeOf(const BoundResource& resource, BindingType type,
        const Capabilities& capabilities, const std::string& where)
    {
        const Buffer& buffer = *resource.buffer;
        const bool uniform = type == BindingType::UniformBuffer;
        const uint64_t alignment
            = uniform ? capabilities.uniformOffsetAlignment : capabilities.storageOffsetAlignment;
        const uint64_t limit
            = uniform ? capabilities.maxUniformBufferRange : capabilities.maxStorageBufferRange;
        if (uniform && buffer.domain() == BufferDomain::Readback)
            return Error::badRequest(where + "a readback buffer is no uniform buffer");
        if (!uniform && buffer.domain() == BufferDomain::Uniform)
            return Error::badRequest(where + "a uniform buffer is no storage buffer");
        if (resource.offset >= buffer.bytes() || resource.offset % alignment != 0)
            return Error::badRequest(where + "offset " + std::to_string(resource.offset) + " of "
                + buffer.purpose() + " is not a multiple of " + std::to_string(alignment)
                + " inside it");
        const uint64_t rest = buffer.bytes() - resource.offset;
        const uint64_t bytes = resource.bytes ? resource.bytes : rest;
        if (bytes > rest)
            return Error::badRequest(
                where + std::to_string(bytes) + " bytes pass the end of " + buffer.purpose());
        if (bytes > limit)
            return Error::unsupported(where + std::to_string(bytes) + " bytes of "
                + buffer.purpose() + ", this device binds at most " + std::to_string(limit));
        return VkDescriptorBufferInfo { buffer.handle(), resource.offset, bytes };
    }

    Result<VkDescriptorPool> createPool(DeviceCore& core, const ComputePipeline& pipeline)
    {
        std::array<VkDescriptorPoolSize, size_t(BindingType::Count)> counts {};
        for (size_t type = 0; type < counts.size(); ++type)
            counts[type].type = descriptorType(BindingType(type));
        for (BindingType type : pipeline.bindings())
            ++counts[size_t(type)].descriptorCount;
        std::vector<VkDescriptorPoolSize> sizes;
        for (const VkDescriptorPoolSize& size : counts)
            if (size.descriptorCount)
                sizes.push_back(size);
        VkDescriptorPoolCreateInfo info { VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO };
        info.maxSets = 1;
        info.poolSizeCount = uint32_t(sizes.size());
        info.pPoolSizes = sizes.data();
        VkDescriptorPool pool = VK_NULL_HANDLE;
        const VkResult result = core.calls.call(CallKind::CreateDescriptorPool,
            &VolkDeviceTable::vkCreateDescriptorPool, core.device, &info, nullptr, &pool);
        if (result != VK_SUCCESS)
            return errorFrom(result, "make a binding set for kernel " + pipeline.name());
        return pool;
    }
}

Result<BindingSet> BindingSet::create(
    Device& device, const ComputePipeline& pipeline, const std::vector<BoundResource>& resources)
{
    DeviceCore& core = device.core();
    const std::string whose = "kernel " + pipeline.name() + ": ";
    if (resources.size() != pipeline.bindings().size())
        return Error::badRequest(whose + std::to_string(resources.size()) + " resources for "
            + std::to_string(pipeline.bindings().size()) + " bindings");

    // Sized once: the writes below point into these.
    std::vector<VkDescriptorBufferInfo> ranges(resources.size());
    std::vector<VkBufferView> views(resources.size());
    std::vector<VkWriteDescriptorSet> writes(resources.size());
    for (size_t i = 0; i < resources.size(); ++i) {
        const BindingType type = pipeline.bindings()[i];
        const std::string where = whose + "binding " + std::to_string(i) + ": ";
        if (takesTexels(type) != (resources[i].view != nullptr))
            return Error::badRequest(
                where + (takesTexels(type) ? "needs a texel view" : "needs a buffer"));
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstBinding = uint32_t(i);
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = descriptorType(type);
        if (takesTexels(type)) {
            views[i] = resources[i].view->handle();
            writes[i].pTexelBufferView = &views[i];
            continue;
        }
        TRY_ASSIGN(ranges[i], rangeOf(resources[i], type, core.capabilities, where));
        writes[i].pBufferInfo = &ranges[i];
    }

    BindingSet result;
    TRY_ASSIGN(VkDescriptorPool pool, createPool(core, pipeline));
    result.m_pool = { core, pool };
    const VkDescriptorSetLayout layout = pipeline.setLayout();
    VkDescriptorSetAllocateInfo info { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO };
    info.descriptorPool = pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    const VkResult allocated = core.calls.call(CallKind::AllocateDescriptorSets,
        &VolkDeviceTable::vkAllocateDescriptorSets, core.device, &info, &result.m_set);
    if (allocated != VK_SUCCESS)
        return errorFrom(allocated, "make a binding set for kernel " + pipeline.name());
    for (VkWriteDescriptorSet& write : writes)
        write.dstSet = result.m_set;
    core.calls.count(CallKind::UpdateDescriptorSets);
    core.calls.table().vkUpdateDescriptorSets(
        core.device, uint32_t(writes.size()), writes.data(), 0, nullptr);
    return result;
}

} // namespace engine::vk
