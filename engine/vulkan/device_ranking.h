#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device_description.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace engine::vk {

/// Indices of devices, best first: usable before unusable; discrete, integrated, virtual, software,
/// other; within a kind the larger heap first, then the driver's own order.
std::vector<size_t> rankDevices(std::span<const DeviceDescription> devices);

struct DeviceChoice {
    size_t index = 0;
    bool wishMissing
        = false; ///< the device asked for is not there or not usable; this is the next best

    bool operator==(const DeviceChoice&) const = default;
};

/// The device to use: the one with wishedUuid when it is there and usable, else the best by rank.
/// NoDevice when none is usable.
Result<DeviceChoice> chooseDevice(
    std::span<const DeviceDescription> devices, const std::string& wishedUuid);

/// The device a person means by text: its UUID, the beginning of one (4 digits or more), or a part
/// of one name, in any case. BadRequest when none or several match; the message lists what there
/// is.
Result<size_t> findDevice(std::span<const DeviceDescription> devices, const std::string& text);

} // namespace engine::vk
