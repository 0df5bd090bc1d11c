#pragma once

#include "engine/vulkan/buffer.h"

namespace engine::vk {

/// The format a shader's texelFetch sees.
enum class TexelFormat : uint8_t {
    UInt4, ///< R32G32B32A32_UINT: usamplerBuffer / uimageBuffer, 16 bytes; the fast path of the
           ///< software device
    Float4, ///< R32G32B32A32_SFLOAT: samplerBuffer, 16 bytes
    UInt2, ///< R32G32_UINT, 8 bytes
    Float2, ///< R32G32_SFLOAT, 8 bytes
    UInt1, ///< R32_UINT, 4 bytes
    Float1, ///< R32_SFLOAT, 4 bytes
    Half4, ///< R16G16B16A16_SFLOAT: samplerBuffer, 8 bytes, widened by the fetch
    Half1, ///< R16_SFLOAT, 2 bytes
    Count, ///< not a format
};

uint32_t texelBytes(TexelFormat format);

struct TexelViewOptions {
    uint64_t offset = 0; ///< bytes; a multiple of Capabilities::texelOffsetAlignment
    uint64_t bytes = 0; ///< a multiple of texelBytes(format); 0 = to the end of the buffer
    TexelFormat format = TexelFormat::UInt4;
};

/// A part of a buffer (Weights, Device or Upload) seen as texels. The buffer must outlive it.
/// Unsupported when the part has more than maxTexelBufferElements texels or the device lacks the
/// format: cut by rows, several views of one buffer are fine.
class TexelView {
public:
    static Result<TexelView> create(
        Device& device, const Buffer& buffer, const TexelViewOptions& options);

    VkBufferView handle() const { return m_view.get(); }
    TexelFormat format() const { return m_format; }
    uint64_t texelCount() const { return m_texelCount; }

private:
    TexelView() = default;
    DeviceObject<VkBufferView, &VolkDeviceTable::vkDestroyBufferView> m_view;
    TexelFormat m_format = TexelFormat::UInt4;
    uint64_t m_texelCount = 0;
};

} // namespace engine::vk
