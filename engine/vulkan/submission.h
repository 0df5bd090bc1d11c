#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/recording.h"

#include <cstdint>
#include <string>
#include <utility>

namespace engine::vk {

/// A submission that is not done after this long never will be: the device counts as lost.
constexpr uint64_t kSubmissionLimitMs = 120'000;

/// One run of a recording on the device. Runs happen in the order of submission; the next may be
/// submitted before this one is waited for. Waits for its end when destroyed, so that an early
/// return cannot free what the device still uses. One thread.
class [[nodiscard]] Submission {
public:
    /// Starts the recording; waits first when its last run is still in flight.
    static Result<Submission> create(Device& device, Recording& recording);
    Submission(Submission&& other) noexcept
        : m_core(std::exchange(other.m_core, nullptr))
        , m_value(other.m_value)
        , m_name(std::move(other.m_name))
    {
    }
    Submission& operator=(Submission&& other) noexcept;
    ~Submission();

    /// Whether it is done; never blocks.
    Result<bool> isDone();
    /// Whether it was done within timeoutMs (5,000 at most).
    Result<bool> waitFor(uint64_t timeoutMs);
    /// Waits to the end. DeviceLost when the device is, or does not finish within
    /// kSubmissionLimitMs.
    Result<void> wait();

private:
    Submission(DeviceCore& core, uint64_t value, std::string name)
        : m_core(&core)
        , m_value(value)
        , m_name(std::move(name))
    {
    }

    DeviceCore* m_core;
    uint64_t m_value;
    std::string m_name;
};

/// For engine::vk: waits until the device's timeline reaches value, in slices of at most 5 s.
Result<void> waitForValue(
    DeviceCore& core, uint64_t value, const std::string& name, uint64_t limitMs);

/// For destructors: as waitForValue, but when it fails the device counts as lost, so that what
/// may still be in use is leaked.
void waitBeforeFreeing(DeviceCore& core, uint64_t value, const std::string& name);

/// Submits, waits, returns the error of either.
Result<void> runAndWait(Device& device, Recording& recording);

} // namespace engine::vk
