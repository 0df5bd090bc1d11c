#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/recorder.h"
#include "engine/vulkan/recording.h"
#include "engine/vulkan/submission.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace engine::vk {

/// Fills buffers from the host: straight into mapped memory, else through two staging buffers in turn,
/// so that one is filled while the device copies the other. Small writes share a staging buffer and
/// its submission. Offset and size are multiples of 4 unless the target is mapped. Only finish()
/// makes sure that everything has arrived; a target outlives it, and nothing else in flight may use
/// the target. The thread that submits.
class Uploader {
public:
    static constexpr uint64_t kStagingBytes = 4 << 20;

    /// stagingBytes: of each of the two buffers, made when first needed.
    explicit Uploader(Device& device, uint64_t stagingBytes = kStagingBytes)
        : m_device(&device)
        , m_stagingBytes(stagingBytes)
    {
    }

    Result<void> write(const Buffer& target, uint64_t offset, std::span<const std::byte> bytes);
    /// Sends the rest and waits until everything has arrived.
    Result<void> finish();

private:
    struct Slot { // destroyed from the end: nothing goes that is in use
        std::optional<Buffer> staging;
        std::optional<Recording> recording;
        std::optional<Submission> submission;
        std::optional<Recorder> recorder; ///< of copies that are not sent yet
        uint64_t usedBytes = 0;
    };
    Result<void> makeReady(Slot& slot);
    Result<void> send(Slot& slot);

    Device* m_device;
    uint64_t m_stagingBytes;
    std::array<Slot, 2> m_slots;
    size_t m_slotIndex = 0; ///< of the one that is being filled
};

} // namespace engine::vk
