#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::vk {

/// Writes bytes into any buffer and waits; Uploader is for many. Offset and size are multiples of 4
/// unless the target is mapped. Nothing in flight may use the buffer.
Result<void> writeBuffer(
    Device& device, const Buffer& target, uint64_t offset, std::span<const std::byte> bytes);

/// Reads bytes out of any buffer, after what was submitted before has ended. For tests, probes and
/// rare reads; a decode step reads its record through a Readback buffer.
Result<std::vector<std::byte>> readBuffer(
    Device& device, const Buffer& source, uint64_t offset, uint64_t bytes);

} // namespace engine::vk
