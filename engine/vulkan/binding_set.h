#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/compute_pipeline.h"
#include "engine/vulkan/texel_view.h"

#include <vector>

namespace engine::vk {

/// What stands at one binding: a buffer, a part of one, or a texel view.
struct BoundResource {
    BoundResource(const Buffer& whole)
        : buffer(&whole)
    {
    }
    BoundResource(const Buffer& whole, uint64_t offsetBytes, uint64_t rangeBytes)
        : buffer(&whole)
        , offset(offsetBytes)
        , bytes(rangeBytes)
    {
    }
    BoundResource(const TexelView& texels)
        : view(&texels)
    {
    }

    const Buffer* buffer = nullptr;
    const TexelView* view = nullptr;
    uint64_t offset = 0;
    uint64_t bytes = 0; ///< 0 = to the end of the buffer
};

/// The resources of one pipeline, bound together: made and written once, at load, then used for
/// every dispatch. BadRequest when the resources do not fit the pipeline's bindings; Unsupported
/// when a range passes the device's limit for its kind of binding. Resources must outlive it;
/// nothing may be in flight that uses it when it goes.
class BindingSet {
public:
    static Result<BindingSet> create(Device& device, const ComputePipeline& pipeline,
        const std::vector<BoundResource>& resources);

    VkDescriptorSet handle() const { return m_set; }

private:
    BindingSet() = default;
    DeviceObject<VkDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool> m_pool;
    VkDescriptorSet m_set = VK_NULL_HANDLE;
};

} // namespace engine::vk
