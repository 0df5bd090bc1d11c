#include "engine/chat/jinja/meter.h"

#include <algorithm>
#include <string>

namespace engine::jinja {

namespace {
    constexpr size_t kStepsBetweenChecks = 256;
}

Meter::Meter()
    : m_start(std::chrono::steady_clock::now())
{
}

Result<void> Meter::check()
{
    if (m_liveBytes > kMaxLiveBytes)
        return Error::badTemplate("the values take more than "
            + std::to_string(kMaxLiveBytes / (1024 * 1024)) + " MiB of memory");
    if (m_steps > kMaxSteps)
        return Error::badTemplate("more than " + std::to_string(kMaxSteps) + " evaluation steps");
    if (std::chrono::steady_clock::now() - m_start > std::chrono::milliseconds(kMaxMilliseconds))
        return Error::badTemplate(
            "evaluation took longer than " + std::to_string(kMaxMilliseconds) + " ms");
    m_nextCheck = std::min(m_steps + kStepsBetweenChecks, kMaxSteps);
    return {};
}

} // namespace engine::jinja
