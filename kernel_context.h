#pragma once

#include "engine/base/result.h"
#include "engine/kernels/weight_layout.h"
#include "engine/vulkan/compute_pipeline.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace engine {

/// What all kernels of one device share: its lanes, and every pipeline made so far, by name and
/// constants, so that each is compiled once. Lives as long as the kernels. Inference thread.
class KernelContext {
public:
    KernelContext(vk::Device& device, const vk::PipelineCache* cache);

    vk::Device& device() const { return m_device; }
    /// Invocations of a workgroup: one subgroup. 8 on the software device.
    uint32_t lanes() const { return m_lanes; }

    /// Workgroups to dispatch for so many items: one for each, or on the software device, where a
    /// workgroup costs a microsecond of its own, a few for each thread
    /// (shaders/include/work_share.glsl).
    uint32_t shareCount(uint32_t itemCount) const
    {
        return m_mostShares ? std::min(itemCount, m_mostShares) : itemCount;
    }

    /// A pipeline whose constant 0 is lanes(); made at the first call with these options.
    Result<const vk::ComputePipeline*> pipeline(vk::PipelineOptions options);
    size_t pipelineCount() const { return m_pipelines.size(); }

private:
    vk::Device& m_device;
    const vk::PipelineCache* m_cache;
    uint32_t m_lanes;
    uint32_t m_mostShares; ///< 0: no limit
    std::map<std::string, std::unique_ptr<vk::ComputePipeline>> m_pipelines;
};

} // namespace engine
