#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/device_core.h"
#include "engine/vulkan/pipeline_cache.h"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace engine::vk {

/// What a shader declares at binding 0, 1, 2, ... of set 0.
enum class BindingType : uint8_t {
    StorageBuffer, ///< buffer { ... }
    UniformBuffer, ///< uniform { ... }
    UniformTexel, ///< samplerBuffer, usamplerBuffer: texelFetch
    StorageTexel, ///< imageBuffer, uimageBuffer: imageLoad, imageStore
    Count, ///< not a type
};

/// layout(constant_id = id) const uint/int/float/bool name
struct SpecConstant {
    uint32_t id = 0;
    uint32_t value = 0; ///< the 32 bits

    static SpecConstant ofFloat(uint32_t id, float value)
    {
        return { id, std::bit_cast<uint32_t>(value) };
    }
};

struct PipelineOptions {
    std::string name; ///< "matvec_q4_1": named in errors
    std::span<const uint32_t> spirv; ///< engine::shaders::matvec_q4_1()
    std::vector<SpecConstant> constants;
    std::vector<BindingType> bindings;
    uint32_t pushConstantBytes = 0; ///< a multiple of 4
    uint32_t requiredSubgroupSize
        = 0; ///< 0 = the device's own; else full subgroups of exactly this size
    const PipelineCache* cache = nullptr;
};

/// A compiled compute shader with its layout; entry point main.
/// Unsupported when the device lacks the subgroup size, the bindings or the push constants asked
/// for. Any thread. The software device compiles at the first dispatch, not here.
class ComputePipeline {
public:
    static Result<ComputePipeline> create(Device& device, const PipelineOptions& options);

    const std::string& name() const { return m_name; }
    VkPipeline handle() const { return m_pipeline.get(); }
    VkPipelineLayout layout() const { return m_layout.get(); }
    VkDescriptorSetLayout setLayout() const { return m_setLayout.get(); }
    const std::vector<BindingType>& bindings() const { return m_bindings; }
    uint32_t pushConstantBytes() const { return m_pushConstantBytes; }

private:
    ComputePipeline() = default;
    DeviceObject<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout> m_setLayout;
    DeviceObject<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout> m_layout;
    DeviceObject<VkPipeline, &VolkDeviceTable::vkDestroyPipeline> m_pipeline;
    std::string m_name;
    std::vector<BindingType> m_bindings;
    uint32_t m_pushConstantBytes = 0;
};

VkDescriptorType descriptorType(BindingType type);

} // namespace engine::vk
