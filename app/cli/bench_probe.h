#pragma once

#include "engine/base/result.h"
#include "engine/kernels/device_probe.h"
#include "engine/vulkan/device_description.h"

#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

namespace app {

/// A device and what it can do at best.
struct ProbedDevice {
    engine::DeviceDescription device;
    engine::DeviceProbe probe;
};

/// Measures the device that a wish in words names, or the one that is used without a wish.
using DeviceProber = std::function<engine::Result<ProbedDevice>(const std::string& wish)>;
engine::Result<ProbedDevice> probeWishedDevice(const std::string& wish);

nlohmann::ordered_json toJson(const engine::DeviceProbe& probe);
nlohmann::ordered_json toJson(const ProbedDevice& probed);
/// A line for each figure.
void print(std::ostream& out, const ProbedDevice& probed);

} // namespace app
