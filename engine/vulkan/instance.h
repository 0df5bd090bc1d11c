#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device_description.h"
#include "engine/vulkan/validation_log.h"
#include "engine/vulkan/vulkan_api.h"

#include <atomic>
#include <memory>
#include <vector>

namespace engine::vk {

struct InstanceOptions {
    bool validation = false; ///< validation and synchronization validation; TOKENGLASS_VALIDATION=1
                             ///< turns it on too
    ValidationLog* log = nullptr; ///< where messages go; stderr when null
};

/// What there is now: equal lengths, in the loader's order.
struct FoundDevices {
    std::vector<VkPhysicalDevice> handles;
    std::vector<DeviceDescription> descriptions;
};

/// The connection to the Vulkan loader and its drivers; knows which devices there are.
/// NoDevice without a loader, a driver, or Vulkan 1.2; Unsupported when validation is asked for and
/// not installed. One thread at a time. Outlives every Device made from it.
class Instance {
public:
    static Result<Instance> create(const InstanceOptions& options = {});
    Instance(Instance&&) noexcept;
    Instance& operator=(Instance&&) noexcept;
    ~Instance();

    /// Asks the drivers anew each time, as devices come and go during suspend. May be empty.
    Result<FoundDevices> devices() const;

    bool validates() const;
    /// Set by a lost device, which may not be touched and still belongs to the instance: it is then
    /// leaked too. The address stays when the Instance is moved.
    std::atomic<bool>& abandonedFlag() const;

private:
    struct State;
    explicit Instance(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace engine::vk
