#include "engine/vulkan/compute_pipeline.h"

#include "engine/vulkan/vk_result.h"

#include <algorithm>

namespace engine::vk {

namespace {
    uint32_t maxBindings(BindingType type, const Capabilities& capabilities)
    {
        const uint32_t limits[]
            = { capabilities.maxStorageBufferBindings, capabilities.maxUniformBufferBindings,
                  capabilities.maxUniformTexelBindings, capabilities.maxStorageTexelBindings };
        return limits[size_t(type)];
    }

    Result<void> checkLimits(const PipelineOptions& options, const Capabilities& capabilities)
    {
        const std::string whose = "kernel " + options.name + ": ";
        if (options.spirv.empty())
            return Error::badRequest(whose + "no SPIR-V");
        for (size_t type = 0; type < size_t(BindingType::Count); ++type) {
            const auto count
                = std::count(options.bindings.begin(), options.bindings.end(), BindingType(type));
            if (uint64_t(count) > maxBindings(BindingType(type), capabilities))
                return Error::unsupported(whose + "this device has fewer bindings of one kind than "
                    + std::to_string(count));
        }
        if (options.pushConstantBytes % 4 != 0
            || options.pushConstantBytes > capabilities.maxPushConstantBytes)
            return Error::unsupported(whose + std::to_string(options.pushConstantBytes)
                + " bytes of push constants, this device allows "
                + std::to_string(capabilities.maxPushConstantBytes) + " in multiples of 4");
        const uint32_t size = options.requiredSubgroupSize;
        if (size == 0
            || (!capabilities.subgroupSizeRequirable && size == capabilities.subgroupSize))
            return {};
        if (size < capabilities.minSubgroupSize || size > capabilities.maxSubgroupSize
            || !std::has_single_bit(size))
            return Error::unsupported(whose + "subgroups of " + std::to_string(size)
                + ", this device has " + std::to_string(capabilities.minSubgroupSize) + " to "
                + std::to_string(capabilities.maxSubgroupSize));
        return {};
    }

    Result<VkDescriptorSetLayout> createSetLayout(DeviceCore& core, const PipelineOptions& options)
    {
        std::vector<VkDescriptorSetLayoutBinding> bindings;
        for (BindingType type : options.bindings) {
            VkDescriptorSetLayoutBinding binding {};
            binding.binding = uint32_t(bindings.size());
            binding.descriptorType = descriptorType(type);
            binding.descriptorCount = 1;
            binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
            bindings.push_back(binding);
        }
        VkDescriptorSetLayoutCreateInfo info {
            VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
        };
        info.bindingCount = uint32_t(bindings.size());
        info.pBindings = bindings.data();
        VkDescriptorSetLayout layout = VK_NULL_HANDLE;
        const VkResult result = core.calls.call(CallKind::CreateDescriptorSetLayout,
            &VolkDeviceTable::vkCreateDescriptorSetLayout, core.device, &info, nullptr, &layout);
        if (result != VK_SUCCESS)
            return errorFrom(result, "make the bindings of kernel " + options.name);
        return layout;
    }

    Result<VkPipelineLayout> createLayout(
        DeviceCore& core, const PipelineOptions& options, VkDescriptorSetLayout set)
    {
        VkPushConstantRange range {};
        range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
        range.size = options.pushConstantBytes;
        VkPipelineLayoutCreateInfo info { VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO };
        info.setLayoutCount = 1;
        info.pSetLayouts = &set;
        info.pushConstantRangeCount = options.pushConstantBytes ? 1 : 0;
        info.pPushConstantRanges = &range;
        VkPipelineLayout layout = VK_NULL_HANDLE;
        const VkResult result = core.calls.call(CallKind::CreatePipelineLayout,
            &VolkDeviceTable::vkCreatePipelineLayout, core.device, &info, nullptr, &layout);
        if (result != VK_SUCCESS)
            return errorFrom(result, "make the layout of kernel " + options.name);
        return layout;
    }

    using ShaderModule = DeviceObject<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;

    Result<ShaderModule> createModule(DeviceCore& core, const PipelineOptions& options)
    {
        VkShaderModuleCreateInfo info { VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO };
        info.codeSize = options.spirv.size_bytes();
        info.pCode = options.spirv.data();
        VkShaderModule module = VK_NULL_HANDLE;
        const VkResult result = core.calls.call(CallKind::CreateShaderModule,
            &VolkDeviceTable::vkCreateShaderModule, core.device, &info, nullptr, &module);
        if (result != VK_SUCCESS)
            return errorFrom(result, "load kernel " + options.name);
        return ShaderModule(core, module);
    }

    Result<VkPipeline> createPipeline(DeviceCore& core, const PipelineOptions& options,
        VkShaderModule module, VkPipelineLayout layout)
    {
        std::vector<VkSpecializationMapEntry> entries;
        std::vector<uint32_t> values;
        for (const SpecConstant& constant : options.constants) {
            entries.push_back(
                { constant.id, uint32_t(values.size() * sizeof(uint32_t)), sizeof(uint32_t) });
            values.push_back(constant.value);
        }
        VkSpecializationInfo specialisation {};
        specialisation.mapEntryCount = uint32_t(entries.size());
        specialisation.pMapEntries = entries.data();
        specialisation.dataSize = values.size() * sizeof(uint32_t);
        specialisation.pData = values.data();

        VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroupSize {
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO
        };
        subgroupSize.requiredSubgroupSize = options.requiredSubgroupSize;

        VkComputePipelineCreateInfo info { VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO };
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName = "main";
        info.stage.pSpecializationInfo = &specialisation;
        if (options.requiredSubgroupSize && core.capabilities.subgroupSizeRequirable) {
            info.stage.pNext = &subgroupSize;
            info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
        }
        info.layout = layout;
        VkPipeline pipeline = VK_NULL_HANDLE;
        const VkPipelineCache cache = options.cache ? options.cache->handle() : VK_NULL_HANDLE;
        const VkResult result = core.calls.call(CallKind::CreateComputePipelines,
            &VolkDeviceTable::vkCreateComputePipelines, core.device, cache, 1u, &info, nullptr,
            &pipeline);
        if (result != VK_SUCCESS)
            return errorFrom(result, "compile kernel " + options.name);
        core.setName(VK_OBJECT_TYPE_PIPELINE, uint64_t(pipeline), options.name);
        return pipeline;
    }
}

VkDescriptorType descriptorType(BindingType type)
{
    constexpr VkDescriptorType kTypes[]
        = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
              VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER };
    static_assert(std::size(kTypes) == size_t(BindingType::Count));
    return kTypes[size_t(type)];
}

Result<ComputePipeline> ComputePipeline::create(Device& device, const PipelineOptions& options)
{
    DeviceCore& core = device.core();
    TRY(checkLimits(options, core.capabilities));

    ComputePipeline result;
    result.m_name = options.name;
    result.m_bindings = options.bindings;
    result.m_pushConstantBytes = options.pushConstantBytes;
    TRY_ASSIGN(VkDescriptorSetLayout setLayout, createSetLayout(core, options));
    result.m_setLayout = { core, setLayout };
    TRY_ASSIGN(VkPipelineLayout layout, createLayout(core, options, setLayout));
    result.m_layout = { core, layout };
    TRY_ASSIGN(ShaderModule module, createModule(core, options));
    TRY_ASSIGN(VkPipeline pipeline, createPipeline(core, options, module.get(), layout));
    result.m_pipeline = { core, pipeline };
    return result;
}

} // namespace engine::vk
