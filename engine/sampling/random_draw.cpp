#include "engine/sampling/random_draw.h"

namespace engine {

namespace {
    uint64_t mix(uint64_t bits)
    {
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        return bits ^ (bits >> 31);
    }
}

uint64_t drawCounter(uint64_t seed, uint64_t step)
{
    // Mixing the seed first keeps neighbouring seeds from being shifted copies of one sequence.
    return mix(seed + kDrawIncrement) + (step + 1) * kDrawIncrement;
}

double uniformDraw(uint64_t seed, uint64_t step)
{
    return double(mix(drawCounter(seed, step)) >> 11) * 0x1p-53;
}

} // namespace engine
