#include "app/cli/random_weights.h"

#include "engine/base/half.h"

#include <algorithm>
#include <bit>
#include <cstring>

using engine::TensorType;

namespace app {

namespace {
    constexpr float kSmallestNormalHalf = 6.104e-5f;

    /// Where a quantBlock has its scale and, for types with one, its minimum; how far the weights
    /// of a random quantBlock spread for a scale of 1, and which minimum centres them.
    struct BlockScale {
        TensorType type;
        size_t scaleOffset;
        float deviationPerScale; ///< of arbitrary quants and packed scales
        int minimumOffset = -1;
        float minimumPerScale = 0;
    };

    // Quants are uniform, so of n values they deviate by n / sqrt(12). In types of 256 weights a
    // 6-bit scale (mean 31.5, root mean square 36.4) multiplies them, and in Q6_K an 8-bit one.
    constexpr BlockScale kBlockScales[] {
        { TensorType::Q4_0, 0, 4.6f },
        { TensorType::Q4_1, 0, 4.6f, 2, -7.5f },
        { TensorType::Q5_0, 0, 9.2f },
        { TensorType::Q8_0, 0, 74.0f },
        { TensorType::Q4_K, 0, 250.0f, 2, 7.5f },
        { TensorType::Q5_K, 0, 510.0f, 2, 15.5f },
        { TensorType::Q6_K, 208, 1370.0f },
    };

    void putHalf(std::byte* target, float value)
    {
        const uint16_t half = engine::floatToHalf(value);
        std::memcpy(target, &half, sizeof half);
    }
}

/// Source: Vigna 2016, xorshift64*.
uint64_t RandomWeights::next()
{
    m_state ^= m_state >> 12;
    m_state ^= m_state << 25;
    m_state ^= m_state >> 27;
    return m_state * 2685821657736338717ull;
}

void RandomWeights::fill(TensorType type, float deviation, std::span<std::byte> bytes)
{
    const auto row = std::ranges::find(kBlockScales, type, &BlockScale::type);
    if (row == std::end(kBlockScales))
        return fillPlain(type, deviation, bytes);
    for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
        const uint64_t bits = next();
        std::memcpy(bytes.data() + at, &bits, std::min(sizeof bits, bytes.size() - at));
    }
    const float scale = std::max(deviation / row->deviationPerScale, kSmallestNormalHalf);
    const size_t blockBytes = engine::tensorTypeInfo(type).bytesPerQuantBlock;
    for (size_t at = 0; at + blockBytes <= bytes.size(); at += blockBytes) {
        // Between 1 and 1.25 of it, from bits that are random already.
        uint8_t bits = 0;
        std::memcpy(&bits, bytes.data() + at + row->scaleOffset, 1);
        const float own = scale * (1 + float(bits) / 1024);
        putHalf(bytes.data() + at + row->scaleOffset, own);
        if (row->minimumOffset >= 0)
            putHalf(bytes.data() + at + row->minimumOffset, own * row->minimumPerScale);
    }
}

void RandomWeights::fillPlain(TensorType type, float deviation, std::span<std::byte> bytes)
{
    const size_t size = engine::tensorTypeInfo(type).bytesPerQuantBlock;
    for (size_t at = 0; at + size <= bytes.size(); at += size) {
        constexpr float kHalfWidth = 1.7320508f; // of the uniform distribution with deviation 1
        const float value = deviation * kHalfWidth * (float(next() >> 40) / float(1 << 23) - 1);
        if (type == TensorType::F32) {
            std::memcpy(bytes.data() + at, &value, size);
        } else if (type == TensorType::F16) {
            putHalf(bytes.data() + at, value);
        } else {
            const uint16_t top = uint16_t(std::bit_cast<uint32_t>(value) >> 16); // BF16
            std::memcpy(bytes.data() + at, &top, size);
        }
    }
}

} // namespace app
