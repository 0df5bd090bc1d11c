#include "engine/kernels/activations.h"

#include "engine/vulkan/transfer.h"

namespace engine {

Result<Activations> Activations::create(vk::Device& device, uint32_t rows, uint32_t columns,
    const std::string& purpose, vk::BufferDomain domain)
{
    const uint32_t stride = (columns + kGroupColumns - 1) / kGroupColumns * kGroupColumns;
    TRY_ASSIGN(vk::Buffer buffer,
        vk::Buffer::create(device,
            { .bytes = uint64_t(rows) * stride * sizeof(float), .domain = domain, .purpose = purpose }));
    const std::vector<std::byte> zeros(buffer.bytes());
    TRY(vk::writeBuffer(device, buffer, 0, zeros));
    TRY_ASSIGN(vk::TexelView texels, vk::TexelView::create(device, buffer, { .format = vk::TexelFormat::Float4 }));
    TRY_ASSIGN(vk::TexelView floats, vk::TexelView::create(device, buffer, { .format = vk::TexelFormat::Float1 }));
    Activations activations(std::move(buffer), std::move(texels), std::move(floats));
    activations.m_rows = rows;
    activations.m_columns = columns;
    activations.m_stride = stride;
    return activations;
}

Result<Activations> uploadRow(vk::Device& device, std::span<const float> values, const std::string& purpose)
{
    TRY_ASSIGN(Activations row, Activations::create(device, 1, uint32_t(values.size()), purpose, vk::BufferDomain::Weights));
    TRY(vk::writeBuffer(device, row.buffer(), 0, std::as_bytes(values)));
    return row;
}

} // namespace engine
