#pragma once

#include <cstdint>

namespace engine {

/// Sets result to a * b. Returns false, and leaves result unspecified, when it passes 64 bits.
[[nodiscard]] inline bool multiplyChecked(uint64_t a, uint64_t b, uint64_t& result)
{
    return !__builtin_mul_overflow(a, b, &result);
}

/// Sets result to a + b. Returns false, and leaves result unspecified, when it passes 64 bits.
[[nodiscard]] inline bool addChecked(uint64_t a, uint64_t b, uint64_t& result)
{
    return !__builtin_add_overflow(a, b, &result);
}

} // namespace engine
