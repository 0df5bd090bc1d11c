#include "engine/vulkan/submission.h"

#include "engine/vulkan/vk_result.h"

#include <algorithm>
#include <chrono>

namespace engine::vk {

namespace {
    constexpr uint64_t kSliceMs = 5'000;
    constexpr uint64_t kNsPerMs = 1'000'000;

    /// VK_SUCCESS, VK_TIMEOUT or an error.
    VkResult waitSlice(DeviceCore& core, uint64_t value, uint64_t timeoutMs)
    {
        if (value <= core.completedValue)
            return VK_SUCCESS;
        VkSemaphoreWaitInfo info { VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO };
        info.semaphoreCount = 1;
        info.pSemaphores = &core.timeline;
        info.pValues = &value;
        const uint64_t timeoutNs = std::min(timeoutMs, kSliceMs) * kNsPerMs;
        const VkResult result = core.calls.call(CallKind::WaitSemaphores,
            &VolkDeviceTable::vkWaitSemaphores, core.device, &info, timeoutNs);
        if (result == VK_SUCCESS)
            core.completedValue = value;
        return result;
    }

    Result<bool> doneOrError(VkResult result, const std::string& name)
    {
        if (result == VK_SUCCESS)
            return true;
        if (result == VK_TIMEOUT)
            return false;
        return errorFrom(result, "finish " + name);
    }
}

Result<void> waitForValue(
    DeviceCore& core, uint64_t value, const std::string& name, uint64_t limitMs)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(limitMs);
    do {
        TRY_ASSIGN(const bool done, doneOrError(waitSlice(core, value, kSliceMs), name));
        if (done)
            return {};
    } while (Clock::now() < end);
    core.calls.markLost();
    return Error::deviceLost("the graphics device did not finish " + name + " within "
        + std::to_string(limitMs / 1000) + " seconds and is taken for lost");
}

void waitBeforeFreeing(DeviceCore& core, uint64_t value, const std::string& name)
{
    // Once more after an error: the host may have been out of memory for a moment.
    if (waitForValue(core, value, name, kSubmissionLimitMs)
        || waitForValue(core, value, name, kSubmissionLimitMs))
        return;
    core.calls.markLost();
}

Result<Submission> Submission::create(Device& device, Recording& recording)
{
    DeviceCore& core = device.core();
    if (recording.lastValue() > 0)
        TRY(waitForValue(core, recording.lastValue(), recording.name(), kSubmissionLimitMs));

    const uint64_t value = core.submittedValue + 1;
    VkTimelineSemaphoreSubmitInfo timeline { VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO };
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    const VkCommandBuffer commands = recording.commands();
    VkSubmitInfo info { VK_STRUCTURE_TYPE_SUBMIT_INFO };
    info.pNext = &timeline;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &core.timeline;
    const VkResult submitted = core.calls.call(CallKind::QueueSubmit,
        &VolkDeviceTable::vkQueueSubmit, core.queue, 1u, &info, VkFence(VK_NULL_HANDLE));
    if (submitted != VK_SUCCESS)
        return errorFrom(submitted, "start " + recording.name());
    core.submittedValue = value;
    recording.setLastValue(value);
    return Submission(core, value, recording.name());
}

Submission& Submission::operator=(Submission&& other) noexcept
{
    if (m_core)
        waitBeforeFreeing(*m_core, m_value, m_name);
    m_core = std::exchange(other.m_core, nullptr);
    m_value = other.m_value;
    m_name = std::move(other.m_name);
    return *this;
}

Submission::~Submission()
{
    if (m_core)
        waitBeforeFreeing(*m_core, m_value, m_name);
}

Result<bool> Submission::isDone() { return waitFor(0); }

Result<bool> Submission::waitFor(uint64_t timeoutMs)
{
    return doneOrError(waitSlice(*m_core, m_value, timeoutMs), m_name);
}

Result<void> Submission::wait()
{
    return waitForValue(*m_core, m_value, m_name, kSubmissionLimitMs);
}

Result<void> runAndWait(Device& device, Recording& recording)
{
    TRY_ASSIGN(Submission submission, Submission::create(device, recording));
    return submission.wait();
}

} // namespace engine::vk
