#include "engine/kernels/kernel_context.h"

#include <thread>

namespace engine {

namespace {
    constexpr uint32_t kSharesPerThread = 4; // so that threads of unequal speed end together
}

KernelContext::KernelContext(vk::Device& device, const vk::PipelineCache* cache)
    : m_device(device)
    , m_cache(cache)
    , m_lanes(device.capabilities().subgroupSize)
    , m_mostShares(device.capabilities().softwareDevice
              ? kSharesPerThread * std::max(1u, std::thread::hardware_concurrency())
              : 0)
{
}

Result<const vk::ComputePipeline*> KernelContext::pipeline(vk::PipelineOptions options)
{
    options.constants.push_back({ 0, m_lanes });
    std::string key = options.name;
    for (const vk::SpecConstant& constant : options.constants)
        key += ' ' + std::to_string(constant.id) + '=' + std::to_string(constant.value);
    if (const auto found = m_pipelines.find(key); found != m_pipelines.end())
        return found->second.get();
    options.cache = m_cache;
    if (m_device.capabilities().subgroupSizeRequirable)
        options.requiredSubgroupSize = m_lanes;
    TRY_ASSIGN(vk::ComputePipeline pipeline, vk::ComputePipeline::create(m_device, options));
    auto& kept = m_pipelines[key];
    kept = std::make_unique<vk::ComputePipeline>(std::move(pipeline));
    return kept.get();
}

} // namespace engine
