#pragma once

#include "engine/base/kv_page.h"
#include "engine/base/result.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/texel_view.h"

#include <cstdint>
#include <string>

namespace engine {

/// Pages that one workgroup of attention takes: splits of the context lie at fixed places.
constexpr uint32_t kSplitPages = 2;
constexpr uint32_t kSplitPositions = kSplitPages * kKvPageTokens;

struct KvShape {
    uint32_t kvHeadCount = 0;
    uint32_t headDim = 0; ///< a multiple of 8
    uint32_t pageCount = 0;

    /// Of keys or values of one layer.
    uint64_t bytes() const { return uint64_t(pageCount) * kvHeadCount * headDim * kKvPageTokens * 2; }
};

/// Keys and values of one layer, [page][kv head][headDim / 8][position of the page][8] f16: a texel
/// is 8 dimensions of one position, and neighbouring positions are neighbours in memory.
class KvPages {
public:
    static Result<KvPages> create(vk::Device& device, const KvShape& shape, const std::string& purpose);

    const KvShape& shape() const { return m_shape; }
    const vk::Buffer& keys() const { return m_keys; } ///< float16_t[]
    const vk::Buffer& values() const { return m_values; }
    const vk::TexelView& keyTexels() const { return m_keyTexels; } ///< UInt4
    const vk::TexelView& valueTexels() const { return m_valueTexels; }
    uint64_t pageBytes() const { return m_shape.bytes() / m_shape.pageCount; }

private:
    KvPages(const KvShape& shape, vk::Buffer keys, vk::Buffer values, vk::TexelView keyTexels,
        vk::TexelView valueTexels)
        : m_shape(shape)
        , m_keys(std::move(keys))
        , m_values(std::move(values))
        , m_keyTexels(std::move(keyTexels))
        , m_valueTexels(std::move(valueTexels))
    {
    }

    KvShape m_shape;
    vk::Buffer m_keys;
    vk::Buffer m_values;
    vk::TexelView m_keyTexels;
    vk::TexelView m_valueTexels;
};

} // namespace engine
