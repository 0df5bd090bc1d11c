#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/device_core.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine::vk {

/// The time between one mark and the one before it.
struct TimedSpan {
    std::string label; ///< of the mark that ends it
    double ms = 0;
};

/// Marks in a recording, each with the device's clock when everything before it is done. One for
/// each recording of a ring, as the next run of a recording overwrites its marks. Without
/// Capabilities::timestamps marks are accepted and no times come out.
class Timestamps {
public:
    static Result<Timestamps> create(Device& device, uint32_t maxMarkCount);

    /// The spans of the last finished run of the recording; empty before any, or without
    /// timestamps. Milliseconds, in order of recording. Call after Submission::wait.
    Result<std::vector<TimedSpan>> read() const;

    /// For Recorder: forgets all marks and makes the first one.
    void recordStart(VkCommandBuffer commands);
    /// For Recorder: false when there are maxMarkCount marks already.
    bool recordMark(VkCommandBuffer commands, const std::string& label);

private:
    Timestamps() = default;
    DeviceCore* m_core = nullptr;
    DeviceObject<VkQueryPool, &VolkDeviceTable::vkDestroyQueryPool>
        m_pool; ///< null without timestamps
    uint32_t m_maxMarkCount = 0;
    std::vector<std::string> m_labels;
};

} // namespace engine::vk
