#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/allocation_counter.h"
#include "engine/vulkan/capabilities.h"
#include "engine/vulkan/device_calls.h"
#include "engine/vulkan/device_description.h"
#include "engine/vulkan/instance.h"

#include <memory>
#include <optional>
#include <string>

namespace engine::vk {

struct DeviceCore;

struct DeviceOptions {
    std::string uuid; ///< the user's choice; "" = best by the ranking
    uint64_t heapLimitBytes = 0; ///< use at most this much of each heap; 0 = no limit of our own
    bool hidesUnifiedMemory = false; ///< for tests: device memory is not mapped, as on a card
    std::optional<CallFault> fault; ///< for tests: active from the first call on
};

/// One device with one compute queue and every probed feature switched on. Must outlive all objects
/// made from it. NoDevice when none can be used; when only the wished one is missing, the best is
/// taken. After DeviceLost nothing of it works; its objects are leaked, and a new Device has to be
/// made. Thread: buffers, views and pipelines on any; recording and submission on one.
class Device {
public:
    static Result<Device> create(const Instance& instance, const DeviceOptions& options = {});
    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    const Capabilities& capabilities() const;
    const DeviceDescription& description() const;
    /// The device of DeviceOptions::uuid was not there (a new driver may change a UUID): say so.
    bool wishMissing() const;
    const AllocationCounter& allocations() const;
    /// Bytes that can still be allocated for a domain.
    uint64_t availableBytes(BufferDomain domain) const;
    bool isLost() const;

    /// Counts and fault injection, for tests.
    DeviceCalls& calls() const;
    DeviceCore& core() const; ///< for engine::vk itself

private:
    explicit Device(std::unique_ptr<DeviceCore> core);
    std::unique_ptr<DeviceCore> m_core;
};

} // namespace engine::vk
