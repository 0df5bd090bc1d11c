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
    , m_mostShares(device.capabilities().softwareDevice ? kSharesPerThread * std::max(1u, std::thread::hardware_concurrency()) : 0)
{
}

std::string KernelContext::complete(vk::PipelineOptions& options) const
{
    options.constants.push_back({ 0, m_lanes });
    options.cache = m_cache;
    if (m_device.capabilities().subgroupSizeRequirable)
        options.requiredSubgroupSize = m_lanes;
    std::string key = options.name;
    for (const vk::SpecConstant& constant : options.constants)
        key += ' ' + std::to_string(constant.id) + '=' + std::to_string(constant.value);
    return key;
}

Result<const vk::ComputePipeline*> KernelContext::pipeline(vk::PipelineOptions options)
{
    const std::string key = complete(options);
    if (const auto found = m_pipelines.find(key); found != m_pipelines.end())
        return found->second.get();
    if (m_stop.stop_requested())
        return Error::cancelled("Loading was stopped.");
    const auto started = m_started.find(key);
    auto made = started != m_started.end() ? started->second->take({})
                                           : vk::ComputePipeline::create(m_device, options);
    if (started != m_started.end())
        m_started.erase(started);
    TRY_ASSIGN(vk::ComputePipeline pipeline, std::move(made));
    auto& kept = m_pipelines[key];
    kept = std::make_unique<vk::ComputePipeline>(std::move(pipeline));
    return kept.get();
}

void KernelContext::startPipeline(vk::PipelineOptions options)
{
    const std::string key = complete(options);
    if (m_pipelines.contains(key) || m_started.contains(key) || m_stop.stop_requested()
        || m_started.size() >= std::thread::hardware_concurrency())
        return;
    m_started[key] = std::make_unique<Job<vk::ComputePipeline>>(
        [&device = m_device, options](
            std::stop_token) { return vk::ComputePipeline::create(device, options); });
}

} // namespace engine
