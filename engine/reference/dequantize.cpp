#include "engine/reference/dequantize.h"

#include "engine/base/half.h"

#include <cstring>

namespace engine {

namespace {
    /// Each function reads one quantBlock at bytes and writes its values.
    using QuantBlockFunction = void (*)(const uint8_t* bytes, float* values);

    template <typename T> T numberAt(const uint8_t* bytes)
    {
        T number;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }
    float halfAt(const uint8_t* bytes) { return halfToFloat(numberAt<uint16_t>(bytes)); }

    void readF32(const uint8_t* bytes, float* values) { *values = numberAt<float>(bytes); }
    void readF16(const uint8_t* bytes, float* values) { *values = halfAt(bytes); }
    void readBF16(const uint8_t* bytes, float* values)
    {
        *values = bfloat16ToFloat(numberAt<uint16_t>(bytes));
    }

    /// scale, 16 bytes of nibbles: byte i holds values i (low) and i + 16 (high), each less 8.
    void readQ4_0(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        const uint8_t* nibbles = bytes + 2;
        for (int i = 0; i < 16; ++i) {
            values[i] = scale * float((nibbles[i] & 15) - 8);
            values[i + 16] = scale * float((nibbles[i] >> 4) - 8);
        }
    }

    /// scale, minimum, nibbles as in Q4_0: scale * nibble + minimum.
    void readQ4_1(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        const float minimum = halfAt(bytes + 2);
        const uint8_t* nibbles = bytes + 4;
        for (int i = 0; i < 16; ++i) {
            values[i] = scale * float(nibbles[i] & 15) + minimum;
            values[i + 16] = scale * float(nibbles[i] >> 4) + minimum;
        }
    }

    /// scale, 32 fifth bits (bit i belongs to value i), nibbles as in Q4_0: each less 16.
    void readQ5_0(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        const uint32_t fifthBits = numberAt<uint32_t>(bytes + 2);
        const uint8_t* nibbles = bytes + 6;
        for (int i = 0; i < 16; ++i) {
            const int low = (nibbles[i] & 15) | int((fifthBits >> i & 1) << 4);
            const int high = (nibbles[i] >> 4) | int((fifthBits >> (i + 16) & 1) << 4);
            values[i] = scale * float(low - 16);
            values[i + 16] = scale * float(high - 16);
        }
    }

    /// scale, 32 signed bytes.
    void readQ8_0(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        for (int i = 0; i < 32; ++i)
            values[i] = scale * float(int8_t(bytes[2 + i]));
    }

    struct ScaleAndMinimum {
        float scale;
        float minimum;
    };

    /// Group j of 8 in the 12 bytes of 6-bit scales and minima of Q4_K and Q5_K: groups 0 to 3 lie
    /// in the low six bits of bytes j and j + 4; of groups 4 to 7 the low four bits share byte j +
    /// 4, and the high two are the top bits of bytes j - 4 and j.
    ScaleAndMinimum groupOf(const uint8_t* packed, int j)
    {
        if (j < 4)
            return { float(packed[j] & 63), float(packed[j + 4] & 63) };
        return { float((packed[j + 4] & 15) | (packed[j - 4] >> 6 << 4)),
            float((packed[j + 4] >> 4) | (packed[j] >> 6 << 4)) };
    }

    /// scale, scale of minima, 12 bytes of groups, 128 bytes of nibbles. Each 32 bytes of nibbles
    /// hold two groups of 32 values, the even group in the low nibbles.
    void readQ4_K(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        const float minimumScale = halfAt(bytes + 2);
        for (int group = 0; group < 8; ++group) {
            const auto [groupScale, groupMinimum] = groupOf(bytes + 4, group);
            const uint8_t* nibbles = bytes + 16 + 32 * (group / 2);
            const int shift = 4 * (group % 2);
            for (int i = 0; i < 32; ++i)
                values[32 * group + i] = scale * groupScale * float(nibbles[i] >> shift & 15)
                    - minimumScale * groupMinimum;
        }
    }

    /// Q4_K with 32 bytes of fifth bits before the nibbles: bit g of byte i belongs to value i of
    /// group g.
    void readQ5_K(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes);
        const float minimumScale = halfAt(bytes + 2);
        const uint8_t* fifthBits = bytes + 16;
        for (int group = 0; group < 8; ++group) {
            const auto [groupScale, groupMinimum] = groupOf(bytes + 4, group);
            const uint8_t* nibbles = bytes + 48 + 32 * (group / 2);
            const int shift = 4 * (group % 2);
            for (int i = 0; i < 32; ++i) {
                const int number = (nibbles[i] >> shift & 15) | (fifthBits[i] >> group & 1) << 4;
                values[32 * group + i]
                    = scale * groupScale * float(number) - minimumScale * groupMinimum;
            }
        }
    }

    /// 128 bytes of low nibbles, 64 bytes of high bit pairs, 16 signed group scales, scale. In each
    /// half of 128 values, quarter k (32 values) has its nibbles in bytes 32 * (k % 2) + i, low for
    /// k < 2, and its bit pairs at bit 2k of byte i; each number is less 32.
    void readQ6_K(const uint8_t* bytes, float* values)
    {
        const float scale = halfAt(bytes + 208);
        for (int half = 0; half < 2; ++half) {
            const uint8_t* nibbles = bytes + 64 * half;
            const uint8_t* bitPairs = bytes + 128 + 32 * half;
            const uint8_t* groupScales = bytes + 192 + 8 * half;
            for (int quarter = 0; quarter < 4; ++quarter)
                for (int i = 0; i < 32; ++i) {
                    const int low = nibbles[32 * (quarter % 2) + i] >> 4 * (quarter / 2) & 15;
                    const int number = (low | (bitPairs[i] >> 2 * quarter & 3) << 4) - 32;
                    const float groupScale = float(int8_t(groupScales[2 * quarter + i / 16]));
                    values[128 * half + 32 * quarter + i] = scale * groupScale * float(number);
                }
        }
    }

    QuantBlockFunction functionOf(TensorType type)
    {
        switch (type) {
        case TensorType::F32:
            return readF32;
        case TensorType::F16:
            return readF16;
        case TensorType::BF16:
            return readBF16;
        case TensorType::Q4_0:
            return readQ4_0;
        case TensorType::Q4_1:
            return readQ4_1;
        case TensorType::Q5_0:
            return readQ5_0;
        case TensorType::Q8_0:
            return readQ8_0;
        case TensorType::Q4_K:
            return readQ4_K;
        case TensorType::Q5_K:
            return readQ5_K;
        case TensorType::Q6_K:
            return readQ6_K;
        default:
            return nullptr;
        }
    }
}

Result<void> dequantize(TensorType type, std::span<const std::byte> bytes, std::span<float> values)
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    const QuantBlockFunction readQuantBlock = functionOf(type);
    if (!readQuantBlock)
        return Error::unsupported(
            std::string("tensor type ") + info.name + " cannot be dequantized");
    const size_t count = bytes.size() / info.bytesPerQuantBlock;
    if (bytes.size() != count * info.bytesPerQuantBlock
        || values.size() != count * info.valuesPerQuantBlock)
        return Error::badRequest(std::to_string(bytes.size()) + " bytes of " + info.name
            + " do not make " + std::to_string(values.size()) + " values");
    const auto* block = reinterpret_cast<const uint8_t*>(bytes.data());
    for (size_t i = 0; i < count; ++i)
        readQuantBlock(
            block + i * info.bytesPerQuantBlock, values.data() + i * info.valuesPerQuantBlock);
    return {};
}

} // namespace engine
