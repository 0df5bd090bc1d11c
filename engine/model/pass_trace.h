#pragma once

#include "engine/base/trace_log.h"
#include "engine/model/operation_marks.h"
#include "engine/model/pass_work.h"

#include <memory>
#include <span>
#include <vector>

namespace engine {

/// Writes the passes of a model into a log: submit and wait on the host, and each operation between
/// two time marks on the device, with what it moved and multiplied. The clocks of host and device
/// are joined where a wait ends. Every other decode step is left without marks: what marks cost (60
/// microseconds each on the software device) is the difference. Inference thread.
class PassTrace {
public:
    PassTrace(TraceLog& log, vk::Device& device, const ModelConfig& config, const DeviceWeights& weights)
        : m_log(log)
        , m_device(device)
        , m_work(config, weights)
    {
    }

    TraceLog& log() { return m_log; }
    void beginPass(std::span<const BatchRow> rows);
    /// Whether the recordings of this pass are to have marks.
    bool wantsMarks() const { return m_wantsMarks; }
    /// Runs a recording of this pass to its end. marks: of the recording, or null; scoredCount: of its
    /// shape.
    Result<void> run(vk::Recording& recording, const OperationMarks* marks, uint32_t scoredCount);

private:
    TraceLog& m_log;
    vk::Device& m_device;
    PassWork m_work;
    std::vector<BatchRow> m_rows; ///< of the pass last begun
    uint32_t m_stepCount = 0; ///< passes of one row
    bool m_wantsMarks = true;
};

} // namespace engine
