#include "engine/vulkan/transfer.h"

#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/uploader.h"

#include <algorithm>
#include <cstring>

namespace engine::vk {

namespace {
    Result<void> checkRange(const Buffer& buffer, uint64_t offset, uint64_t bytes)
    {
        if (bytes <= buffer.bytes() && offset <= buffer.bytes() - bytes)
            return {};
        return Error::badRequest(std::to_string(bytes) + " bytes at offset "
            + std::to_string(offset) + " pass the end of " + buffer.purpose());
    }

    Result<void> copyAndWait(
        Device& device, const Buffer& source, const Buffer& target, const CopyRange& range)
    {
        TRY_ASSIGN(Recorder recorder, Recorder::create(device, "a copy of " + target.purpose()));
        recorder.copy(source, target, range);
        recorder.hostReadBarrier();
        TRY_ASSIGN(Recording recording, recorder.finish());
        return runAndWait(device, recording);
    }
}

Result<void> writeBuffer(
    Device& device, const Buffer& target, uint64_t offset, std::span<const std::byte> bytes)
{
    Uploader uploader(device, std::clamp<uint64_t>(bytes.size(), 16, Uploader::kStagingBytes));
    TRY(uploader.write(target, offset, bytes));
    return uploader.finish();
}

Result<std::vector<std::byte>> readBuffer(
    Device& device, const Buffer& source, uint64_t offset, uint64_t bytes)
{
    TRY(checkRange(source, offset, bytes));
    std::vector<std::byte> result(bytes);
    if (bytes == 0)
        return result;
    // Through a copy even when mapped: only a barrier of the device makes its writes visible to the
    // host.
    const uint64_t first = offset / 4 * 4;
    const uint64_t wholeBytes = (offset + bytes - first + 3) / 4 * 4;
    TRY_ASSIGN(const Buffer staging,
        Buffer::create(device,
            { .bytes = wholeBytes,
                .domain = BufferDomain::Readback,
                .purpose = "reading " + source.purpose() }));
    TRY(copyAndWait(device, source, staging, { .sourceOffset = first, .bytes = wholeBytes }));
    std::memcpy(result.data(), staging.mapped().data() + (offset - first), bytes);
    return result;
}

} // namespace engine::vk
