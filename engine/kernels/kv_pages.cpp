#include "engine/kernels/kv_pages.h"

namespace engine {

Result<KvPages> KvPages::create(vk::Device& device, const KvShape& shape, const std::string& purpose)
{
    const auto half = [&](const char* which) {
        return vk::Buffer::create(
            device, { .bytes = shape.bytes(), .domain = vk::BufferDomain::Device, .purpose = purpose + which });
    };
    TRY_ASSIGN(vk::Buffer keys, half(", keys"));
    TRY_ASSIGN(vk::Buffer values, half(", values"));
    TRY_ASSIGN(vk::TexelView keyTexels, vk::TexelView::create(device, keys, { .format = vk::TexelFormat::UInt4 }));
    TRY_ASSIGN(
        vk::TexelView valueTexels, vk::TexelView::create(device, values, { .format = vk::TexelFormat::UInt4 }));
    return KvPages(shape, std::move(keys), std::move(values), std::move(keyTexels), std::move(valueTexels));
}

} // namespace engine
