#pragma once

#include <cstdint>

namespace engine {

/// The uniform number in [0, 1) that belongs to a step of a run with this seed. Counter-based and
/// in integers only: the same on every platform, in any order of asking.
/// Source: the finaliser of SplitMix64 (Steele, Lea & Flood 2014), applied to a seed-derived key
/// plus a Weyl sequence of the step; the upper 53 bits become the mantissa.
double uniformDraw(uint64_t seed, uint64_t step);

/// What uniformDraw mixes: one step further is kDrawIncrement more. A device counts with it.
uint64_t drawCounter(uint64_t seed, uint64_t step);
constexpr uint64_t kDrawIncrement = 0x9E3779B97F4A7C15u; // 2^64 / golden ratio, made odd

} // namespace engine
