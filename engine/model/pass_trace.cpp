#include "engine/model/pass_trace.h"

#include "engine/vulkan/submission.h"

#include <algorithm>

namespace engine {

void PassTrace::beginPass(std::span<const BatchRow> rows)
{
    m_rows.assign(rows.begin(), rows.end());
    m_log.beginPass(uint32_t(rows.size()));
    m_wantsMarks = rows.size() > 1 || ++m_stepCount % 2 == 1;
}

Result<void> PassTrace::run(vk::Recording& recording, const OperationMarks* marks, uint32_t scoredCount)
{
    const double startMs = m_log.nowMs();
    {
        const auto submit = [&] {
            const TracedScope traced(&m_log, "submit");
            return vk::Submission::create(m_device, recording);
        };
        TRY_ASSIGN(vk::Submission submission, submit());
        const TracedScope traced(&m_log, "wait");
        TRY(submission.wait());
    }
    const double endMs = m_log.nowMs();
    if (!marks)
        return {};
    TRY_ASSIGN(const std::vector<TimedOperation> operations, marks->read());
    double totalMs = 0;
    for (const TimedOperation& operation : operations)
        totalMs += operation.ms;
    double atMs = std::max(startMs, endMs - totalMs);
    for (const TimedOperation& operation : operations) {
        m_log.add({ .track = TraceTrack::Device,
            .name = operation.name,
            .startMs = atMs,
            .durationMs = operation.ms,
            .work = m_work.workOf(operation.name, operation.layer, m_rows, scoredCount) });
        atMs += operation.ms;
    }
    return {};
}

} // namespace engine
