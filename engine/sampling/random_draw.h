#pragma once

#include <cstdint>

namespace engine {

/// The uniform number in [0, 1) that belongs to a step of a run with this seed. Counter-based and
/// in integers only: the same on every platform, in any order of asking.
/// Source: the finaliser of SplitMix64 (Steele, Lea & Flood 2014), applied to a seed-derived key
/// plus a Weyl sequence of the step; the upper 53 bits become the mantissa.
double uniformDraw(uint64_t seed, uint64_t step);

} // namespace engine
