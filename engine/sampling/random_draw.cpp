#include "engine/sampling/random_draw.h"

namespace engine {

namespace {
    constexpr uint64_t kGoldenGamma = 0x9E3779B97F4A7C15u; // 2^64 / golden ratio, made odd

    uint64_t mix(uint64_t bits)
    {
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        return bits ^ (bits >> 31);
    }
}

double uniformDraw(uint64_t seed, uint64_t step)
{
    // Mixing the seed first keeps neighbouring seeds from being shifted copies of one sequence.
    const uint64_t key = mix(seed + kGoldenGamma);
    const uint64_t bits = mix(key + (step + 1) * kGoldenGamma);
    return double(bits >> 11) * 0x1p-53;
}

} // namespace engine
