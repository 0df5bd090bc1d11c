#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"

#include <cstdint>

namespace engine {

/// What a device can do at best, measured: other figures are shares of these.
struct DeviceProbe {
    uint64_t streamBytes = 0; ///< of the buffer that was read
    double texelGigabytesPerS = 0; ///< reading 16-byte texels, neighbours by neighbouring lanes
    double storageGigabytesPerS = 0; ///< the same from a storage buffer
    double dispatchUs = 0; ///< one empty dispatch and the barrier behind it, in one recording
    double submitAndWaitUs = 0; ///< an empty submission to its end
    double gigaMultiplyAddsPerS = 0; ///< multiply, then add, in float32

    bool operator==(const DeviceProbe&) const = default;
};

/// Measures a device that is otherwise idle; takes a second or two on the software device, and the
/// best of several runs of everything. Errors: OutOfMemory, Unsupported, DeviceLost; NotFinite when
/// what it computes meanwhile is wrong.
Result<DeviceProbe> probeDevice(vk::Device& device);

} // namespace engine
