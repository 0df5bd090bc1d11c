#include "engine/vulkan/uploader.h"

#include <algorithm>
#include <cstring>

namespace engine::vk {

namespace {
    constexpr uint64_t kCopyAlignment = 4; // vkCmdCopyBuffer of a compute queue
}

Result<void> Uploader::write(
    const Buffer& target, uint64_t offset, std::span<const std::byte> bytes)
{
    if (bytes.size() > target.bytes() || offset > target.bytes() - bytes.size())
        return Error::badRequest(std::to_string(bytes.size()) + " bytes at offset "
            + std::to_string(offset) + " pass the end of " + target.purpose());
    if (bytes.empty())
        return {};
    if (!target.mapped().empty()) {
        std::memcpy(target.mapped().data() + offset, bytes.data(), bytes.size());
        return {};
    }
    if (offset % kCopyAlignment != 0 || bytes.size() % kCopyAlignment != 0)
        return Error::badRequest(std::to_string(bytes.size()) + " bytes at offset "
            + std::to_string(offset) + " of " + target.purpose()
            + ": both must be multiples of 4");
    for (uint64_t done = 0; done < bytes.size();) {
        Slot& slot = m_slots[m_slotIndex];
        if (!slot.recorder)
            TRY(makeReady(slot));
        const uint64_t count
            = std::min<uint64_t>(bytes.size() - done, slot.staging->bytes() - slot.usedBytes);
        std::memcpy(
            slot.staging->mapped().data() + slot.usedBytes, bytes.data() + done, count);
        slot.recorder->copy(*slot.staging, target,
            { .sourceOffset = slot.usedBytes, .targetOffset = offset + done, .bytes = count });
        slot.usedBytes += count;
        done += count;
        if (slot.usedBytes < slot.staging->bytes())
            continue;
        TRY(send(slot));
        m_slotIndex = (m_slotIndex + 1) % m_slots.size();
    }
    return {};
}

/// Waits until the slot's last copies are done and starts to record the next.
Result<void> Uploader::makeReady(Slot& slot)
{
    if (slot.submission)
        TRY(slot.submission->wait());
    slot.submission.reset();
    if (!slot.staging) {
        TRY_ASSIGN(slot.staging,
            Buffer::create(*m_device,
                { .bytes = m_stagingBytes,
                    .domain = BufferDomain::Upload,
                    .purpose = "uploading" }));
    }
    auto created = slot.recording ? Recorder::create(*m_device, std::move(*slot.recording))
                                  : Recorder::create(*m_device, "an upload");
    slot.recording.reset();
    TRY_ASSIGN(Recorder recorder, std::move(created));
    slot.recorder.emplace(std::move(recorder));
    slot.usedBytes = 0;
    return {};
}

Result<void> Uploader::send(Slot& slot)
{
    auto recording = slot.recorder->finish();
    slot.recorder.reset();
    TRY_ASSIGN(slot.recording, std::move(recording));
    TRY_ASSIGN(slot.submission, Submission::create(*m_device, *slot.recording));
    return {};
}

Result<void> Uploader::finish()
{
    for (Slot& slot : m_slots) {
        if (slot.recorder)
            TRY(send(slot));
        if (slot.submission)
            TRY(slot.submission->wait());
        slot.submission.reset();
    }
    return {};
}

} // namespace engine::vk
