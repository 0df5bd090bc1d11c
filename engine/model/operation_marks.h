#pragma once

#include "engine/vulkan/recorder.h"
#include "engine/vulkan/timestamps.h"

#include <memory>
#include <string>
#include <vector>

namespace engine {

/// An operation of one layer and the time it took.
struct TimedOperation {
    std::string name; ///< "query_key_value"
    uint32_t layer = 0; ///< the last one begun
    double ms = 0;
};

/// The time marks of one recording: one at the end of each operation. Must outlive the recording.
class OperationMarks {
public:
    /// layerCount: of the recording.
    static Result<std::unique_ptr<OperationMarks>> create(vk::Device& device, uint32_t layerCount);

    void start(vk::Recorder& recorder) { recorder.startTimestamps(m_timestamps); }
    void beginLayer(uint32_t layer) { m_layer = layer; }
    void mark(vk::Recorder& recorder, const char* operation);

    /// Times of the last finished run, in order; empty where the device has no timestamps.
    Result<std::vector<TimedOperation>> read() const;

private:
    explicit OperationMarks(vk::Timestamps timestamps)
        : m_timestamps(std::move(timestamps))
    {
    }

    vk::Timestamps m_timestamps;
    uint32_t m_layer = 0;
    std::vector<uint32_t> m_layers; ///< of each mark
};

/// Ends an operation; nothing without marks. After the barrier that follows the operation.
inline void mark(OperationMarks* marks, vk::Recorder& recorder, const char* operation)
{
    if (marks)
        marks->mark(recorder, operation);
}

} // namespace engine
