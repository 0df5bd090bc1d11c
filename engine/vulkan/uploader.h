#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/recording.h"
#include "engine/vulkan/submission.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace engine::vk {

/// Fills buffers from the host: straight into mapped memory, else in pieces through two staging
/// buffers in turn, so that one is filled while the device copies the other. Offset and size are
/// multiples of 4 unless the target is mapped. A target may be used by what is submitted later; it
/// must outlive finish(), and nothing in flight may use it. The thread that submits.
class Uploader {
public:
    explicit Uploader(Device& device)
        : m_device(&device)
    {
    }

    Result<void> write(const Buffer& target, uint64_t offset, std::span<const std::byte> bytes);
    /// Waits until everything has arrived.
    Result<void> finish();

private:
    struct Slot { // destroyed from the end: nothing goes that is in use
        std::optional<Buffer> staging;
        std::optional<Recording> recording;
        std::optional<Submission> submission;
    };
    Result<void> copyPiece(const Buffer& target, uint64_t offset, std::span<const std::byte> piece);
    Result<void> makeReady(Slot& slot);

    Device* m_device;
    std::array<Slot, 2> m_slots;
    size_t m_nextSlot = 0;
};

} // namespace engine::vk
