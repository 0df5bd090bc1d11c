#include "engine/vulkan/recorder.h"

#include "engine/vulkan/submission.h"
#include "engine/vulkan/vk_result.h"

#include <algorithm>

namespace engine::vk {

namespace {
    constexpr VkPipelineStageFlags kWork
        = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

    struct BarrierEnds {
        VkPipelineStageFlags sourceStages;
        VkPipelineStageFlags targetStages;
        VkAccessFlags targetAccess;
    };
    constexpr BarrierEnds kBetweenCommands { kWork, kWork | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT
            | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT };
    constexpr BarrierEnds kBeforeHostReads { kWork, VK_PIPELINE_STAGE_HOST_BIT,
        VK_ACCESS_HOST_READ_BIT };

    void recordBarrier(
        const VolkDeviceTable& table, VkCommandBuffer commands, const BarrierEnds& ends)
    {
        VkMemoryBarrier barrier { VK_STRUCTURE_TYPE_MEMORY_BARRIER };
        barrier.srcAccessMask = kWrites;
        barrier.dstAccessMask = ends.targetAccess;
        table.vkCmdPipelineBarrier(
            commands, ends.sourceStages, ends.targetStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    }
}

Recorder::Recorder(DeviceCore& core, Recording recording)
    : m_core(&core)
    , m_recording(std::move(recording))
{
}

Result<Recorder> Recorder::create(Device& device, const std::string& name)
{
    DeviceCore& core = device.core();
    VkCommandPoolCreateInfo info { VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
    info.queueFamilyIndex = core.capabilities.computeQueueFamily;
    VkCommandPool pool = VK_NULL_HANDLE;
    const VkResult created = core.calls.call(CallKind::CreateCommandPool,
        &VolkDeviceTable::vkCreateCommandPool, core.device, &info, nullptr, &pool);
    if (created != VK_SUCCESS)
        return errorFrom(created, "make room for the commands of " + name);
    Recording empty(core, pool, VK_NULL_HANDLE, name);

    VkCommandBufferAllocateInfo allocation { VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO };
    allocation.commandPool = pool;
    allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocation.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const VkResult allocated = core.calls.call(CallKind::AllocateCommandBuffers,
        &VolkDeviceTable::vkAllocateCommandBuffers, core.device, &allocation, &commands);
    if (allocated != VK_SUCCESS)
        return errorFrom(allocated, "make room for the commands of " + name);
    empty.setCommands(commands);
    return begin(core, std::move(empty));
}

Result<Recorder> Recorder::create(Device& device, Recording old)
{
    DeviceCore& core = device.core();
    if (old.lastValue() > 0)
        TRY(waitForValue(core, old.lastValue(), old.name(), kSubmissionLimitMs));
    old.setLastValue(0);
    const VkResult reset = core.calls.call(CallKind::ResetCommandPool,
        &VolkDeviceTable::vkResetCommandPool, core.device, old.pool(), VkCommandPoolResetFlags(0));
    if (reset != VK_SUCCESS)
        return errorFrom(reset, "reuse the commands of " + old.name());
    return begin(core, std::move(old));
}

Result<Recorder> Recorder::begin(DeviceCore& core, Recording recording)
{
    VkCommandBufferBeginInfo info { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    const VkResult begun = core.calls.call(CallKind::BeginCommandBuffer,
        &VolkDeviceTable::vkBeginCommandBuffer, recording.commands(), &info);
    if (begun != VK_SUCCESS)
        return errorFrom(begun, "record " + recording.name());
    recordBarrier(core.calls.table(), recording.commands(), kBetweenCommands);
    return Recorder(core, std::move(recording));
}

void Recorder::fail(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

bool Recorder::checkRange(const Buffer& buffer, uint64_t offset, uint64_t bytes, const char* what)
{
    if (offset % 4 == 0 && bytes % 4 == 0 && bytes > 0 && bytes <= buffer.bytes()
        && offset <= buffer.bytes() - bytes)
        return true;
    fail(Error::badRequest(m_recording.name() + ": " + what + " of " + std::to_string(bytes)
        + " bytes at offset " + std::to_string(offset) + " does not fit " + buffer.purpose() + " ("
        + std::to_string(buffer.bytes()) + " bytes), or is not in whole words"));
    return false;
}

bool Recorder::checkReady(const char* what)
{
    if (!m_pipeline) {
        fail(Error::badRequest(m_recording.name() + ": " + what + " without a bound kernel"));
        return false;
    }
    return true;
}

bool Recorder::checkPushed()
{
    if (m_pushed)
        return true;
    fail(Error::badRequest(
        m_recording.name() + ": kernel " + m_pipeline->name() + " without its push constants"));
    return false;
}

void Recorder::bind(const ComputePipeline& pipeline, const BindingSet& set)
{
    const VolkDeviceTable& table = m_core->calls.table();
    const VkDescriptorSet handle = set.handle();
    table.vkCmdBindPipeline(
        m_recording.commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    table.vkCmdBindDescriptorSets(m_recording.commands(), VK_PIPELINE_BIND_POINT_COMPUTE,
        pipeline.layout(), 0, 1, &handle, 0, nullptr);
    m_pipeline = &pipeline;
    m_pushed = pipeline.pushConstantBytes() == 0;
}

void Recorder::pushBytes(std::span<const std::byte> constants)
{
    if (!checkReady("push constants"))
        return;
    if (constants.size() != m_pipeline->pushConstantBytes())
        return fail(Error::badRequest(m_recording.name() + ": " + std::to_string(constants.size())
            + " bytes of push constants for kernel " + m_pipeline->name() + ", which takes "
            + std::to_string(m_pipeline->pushConstantBytes())));
    m_core->calls.table().vkCmdPushConstants(m_recording.commands(), m_pipeline->layout(),
        VK_SHADER_STAGE_COMPUTE_BIT, 0, uint32_t(constants.size()), constants.data());
    m_pushed = true;
}

void Recorder::dispatch(uint32_t groupsX, uint32_t groupsY, uint32_t groupsZ)
{
    if (!checkReady("a dispatch") || !checkPushed())
        return;
    const uint32_t groups[] = { groupsX, groupsY, groupsZ };
    for (size_t i = 0; i < 3; ++i)
        if (groups[i] > m_core->capabilities.maxWorkgroupCount[i])
            return fail(Error::unsupported(m_recording.name() + ": kernel " + m_pipeline->name()
                + " in " + std::to_string(groups[i]) + " workgroups, this device allows "
                + std::to_string(m_core->capabilities.maxWorkgroupCount[i])));
    if (m_dispatchesNothing)
        groupsX = 0;
    m_core->calls.table().vkCmdDispatch(m_recording.commands(), groupsX, groupsY, groupsZ);
}

void Recorder::dispatchIndirect(const Buffer& counts, uint64_t offset)
{
    if (!checkReady("a dispatch") || !checkPushed()
        || !checkRange(counts, offset, 3 * sizeof(uint32_t), "an indirect dispatch"))
        return;
    if (counts.domain() != BufferDomain::Device)
        return fail(Error::badRequest(m_recording.name() + ": group counts lie in "
            + counts.purpose() + ", which is no device buffer"));
    m_core->calls.table().vkCmdDispatchIndirect(m_recording.commands(), counts.handle(), offset);
}

void Recorder::copy(const Buffer& source, const Buffer& target, const CopyRange& range)
{
    if (!checkRange(source, range.sourceOffset, range.bytes, "a copy")
        || !checkRange(target, range.targetOffset, range.bytes, "a copy"))
        return;
    const VkBufferCopy region { range.sourceOffset, range.targetOffset, range.bytes };
    m_core->calls.table().vkCmdCopyBuffer(
        m_recording.commands(), source.handle(), target.handle(), 1, &region);
}

void Recorder::fill(const Buffer& target, uint32_t value, uint64_t offset, uint64_t bytes)
{
    const uint64_t count = bytes ? bytes : target.bytes() - std::min(offset, target.bytes());
    if (!checkRange(target, offset, count, "a fill"))
        return;
    m_core->calls.table().vkCmdFillBuffer(
        m_recording.commands(), target.handle(), offset, count, value);
}

void Recorder::barrier()
{
    recordBarrier(m_core->calls.table(), m_recording.commands(), kBetweenCommands);
}
void Recorder::hostReadBarrier()
{
    recordBarrier(m_core->calls.table(), m_recording.commands(), kBeforeHostReads);
}
void Recorder::startTimestamps(Timestamps& timestamps)
{
    timestamps.recordStart(m_recording.commands());
}

void Recorder::mark(Timestamps& timestamps, const std::string& label)
{
    if (!timestamps.recordMark(m_recording.commands(), label))
        fail(Error::badRequest(m_recording.name() + ": no room for the time mark " + label));
}

Result<Recording> Recorder::finish()
{
    const VkResult ended = m_core->calls.call(
        CallKind::EndCommandBuffer, &VolkDeviceTable::vkEndCommandBuffer, m_recording.commands());
    if (m_error)
        return std::move(*m_error);
    if (ended != VK_SUCCESS)
        return errorFrom(ended, "record " + m_recording.name());
    return std::move(m_recording);
}

} // namespace engine::vk
