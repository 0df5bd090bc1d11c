#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace engine::vk {

/// The warnings and errors of the validation layers, in order. Must outlive the Instance that
/// writes to it. Any thread: the layers call back on whichever thread made the Vulkan call, hence a
/// lock of its own.
class ValidationLog {
public:
    void add(std::string message)
    {
        const std::lock_guard lock(m_mutex);
        m_messages.push_back(std::move(message));
    }
    std::vector<std::string> messages() const
    {
        const std::lock_guard lock(m_mutex);
        return m_messages;
    }
    void clear()
    {
        const std::lock_guard lock(m_mutex);
        m_messages.clear();
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_messages;
};

} // namespace engine::vk
