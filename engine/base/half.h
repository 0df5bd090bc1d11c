#pragma once

#include <bit>
#include <cstdint>

namespace engine {

/// IEEE 754 binary16 to binary32, exact.
inline float halfToFloat(uint16_t half)
{
    const uint32_t sign = uint32_t(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1Fu;
    const uint32_t mantissa = half & 0x3FFu;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = float(mantissa) * 0x1p-24f; // zero or subnormal
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
}

/// binary32 to binary16, round to nearest even; overflow becomes infinity.
inline uint16_t floatToHalf(float value)
{
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x7F800000u) // infinity, NaN
        return uint16_t(sign | 0x7C00u | (magnitude > 0x7F800000u ? 0x200u : 0u));
    if (magnitude >= 0x477FF000u) // rounds to 65520 or more
        return uint16_t(sign | 0x7C00u);
    if (magnitude < 0x38800000u) { // subnormal half: let the float adder round
        const float scaled = std::bit_cast<float>(magnitude) + 0.5f;
        return uint16_t(sign | (std::bit_cast<uint32_t>(scaled) & 0x7FFu));
    }
    const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
    return uint16_t(sign | ((rounded - 0x38000000u) >> 13));
}

/// bfloat16 to binary32, exact.
inline float bfloat16ToFloat(uint16_t value) { return std::bit_cast<float>(uint32_t(value) << 16); }

} // namespace engine
