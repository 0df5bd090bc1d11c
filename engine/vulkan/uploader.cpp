#include "engine/vulkan/uploader.h"

#include "engine/vulkan/recorder.h"

#include <algorithm>
#include <cstring>

namespace engine::vk {

namespace {
    constexpr uint64_t kPieceBytes = 4 << 20;
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
    for (uint64_t done = 0; done < bytes.size(); done += kPieceBytes)
        TRY(copyPiece(target, offset + done,
            bytes.subspan(done, std::min<uint64_t>(kPieceBytes, bytes.size() - done))));
    return {};
}

Result<void> Uploader::makeReady(Slot& slot)
{
    if (slot.submission)
        TRY(slot.submission->wait());
    slot.submission.reset();
    if (slot.staging)
        return {};
    TRY_ASSIGN(slot.staging,
        Buffer::create(*m_device,
            { .bytes = kPieceBytes, .domain = BufferDomain::Upload, .purpose = "uploading" }));
    return {};
}

Result<void> Uploader::copyPiece(
    const Buffer& target, uint64_t offset, std::span<const std::byte> piece)
{
    Slot& slot = m_slots[m_nextSlot];
    m_nextSlot = (m_nextSlot + 1) % m_slots.size();
    TRY(makeReady(slot));
    std::memcpy(slot.staging->mapped().data(), piece.data(), piece.size());

    auto created = slot.recording ? Recorder::create(*m_device, std::move(*slot.recording))
                                  : Recorder::create(*m_device, "an upload");
    slot.recording.reset();
    TRY_ASSIGN(Recorder recorder, std::move(created));
    recorder.copy(*slot.staging, target, { .targetOffset = offset, .bytes = piece.size() });
    TRY_ASSIGN(slot.recording, recorder.finish());
    TRY_ASSIGN(slot.submission, Submission::create(*m_device, *slot.recording));
    return {};
}

Result<void> Uploader::finish()
{
    for (Slot& slot : m_slots) {
        if (slot.submission)
            TRY(slot.submission->wait());
        slot.submission.reset();
    }
    return {};
}

} // namespace engine::vk
