#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/texel_view.h"

#include <string>

namespace engine {

/// Numbers that one operation writes and the next reads: [rows, stride] f32, zero at first. The
/// stride is a multiple of 64 floats; columns past the real ones stay zero.
class Activations {
public:
    static Result<Activations> create(vk::Device& device, uint32_t rows, uint32_t columns,
        const std::string& purpose, vk::BufferDomain domain = vk::BufferDomain::Device);

    uint32_t rows() const { return m_rows; }
    uint32_t columns() const { return m_columns; }
    uint32_t stride() const { return m_stride; } ///< floats
    uint32_t strideTexels() const { return m_stride / 4; }
    const vk::Buffer& buffer() const { return m_buffer; } ///< float[]
    const vk::TexelView& texels() const { return m_texels; } ///< Float4
    const vk::TexelView& floats() const { return m_floats; } ///< Float1

private:
    Activations(vk::Buffer buffer, vk::TexelView texels, vk::TexelView floats)
        : m_buffer(std::move(buffer))
        , m_texels(std::move(texels))
        , m_floats(std::move(floats))
    {
    }

    vk::Buffer m_buffer;
    vk::TexelView m_texels;
    vk::TexelView m_floats;
    uint32_t m_rows = 0;
    uint32_t m_columns = 0;
    uint32_t m_stride = 0;
};

/// A constant row of numbers on the device (norm weights, biases), padded with zeros to 64.
Result<Activations> uploadRow(vk::Device& device, std::span<const float> values, const std::string& purpose);

} // namespace engine
