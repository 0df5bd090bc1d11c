#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/vulkan/buffer.h"

#include <memory>
#include <optional>

namespace engine {

/// Leave to let all workgroups of a dispatch wait for each other (shaders/include/meeting.glsl), which no Vulkan device
/// promises: given only by the software device, and only for a number of workgroups that was seen to meet. A meeting
/// costs a third of a microsecond there, a dispatch and its barrier ten to thirty. Waiting is bounded; whoever uses it
/// asks hasFailed after each submission and runs the pass another way when there were any. Inference thread.
class Meeting {
public:
    /// Null where workgroups do not meet. TOKENGLASS_MEETING in the environment: how many are to be tried first; 0: none. Errors: those of buffers and pipelines.
    static Result<std::unique_ptr<Meeting>> create(KernelContext& context);

    uint32_t workgroupCount() const { return m_workgroupCount; }
    /// Arrivals, failures, and rounds of loops that tests take away from each workgroup, three u32: a storage buffer
    /// for the kernel.
    const vk::Buffer& buffer() const { return m_buffer; }
    /// Whether any workgroup waited in vain, or had too few rounds of loops left for its work, since the last reset, in
    /// submissions that have ended.
    bool hasFailed() const { return m_buffer.mappedAs<const uint32_t>()[1] != 0; }
    /// Nothing may be in flight that meets. Needed after a failure, and before arrivals wrap around.
    void reset() const;

private:
    explicit Meeting(vk::Buffer buffer)
        : m_buffer(std::move(buffer))
    {
    }

    vk::Buffer m_buffer;
    uint32_t m_workgroupCount = 0;
};

} // namespace engine
