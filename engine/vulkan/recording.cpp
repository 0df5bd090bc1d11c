#include "engine/vulkan/recording.h"

#include "engine/vulkan/submission.h"

namespace engine::vk {

Recording::Recording(
    DeviceCore& core, VkCommandPool pool, VkCommandBuffer commands, std::string name)
    : m_core(&core)
    , m_pool(core, pool)
    , m_commands(commands)
    , m_name(std::move(name))
{
}

Recording& Recording::operator=(Recording&& other) noexcept
{
    waitForLast();
    m_core = other.m_core;
    m_pool = std::move(other.m_pool);
    m_commands = other.m_commands;
    m_name = std::move(other.m_name);
    m_lastValue = other.m_lastValue;
    return *this;
}

Recording::~Recording() { waitForLast(); }

void Recording::waitForLast()
{
    if (m_pool.get() && m_lastValue > 0)
        waitBeforeFreeing(*m_core, m_lastValue, m_name);
}

} // namespace engine::vk
