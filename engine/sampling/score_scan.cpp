#include "engine/sampling/score_scan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace engine {

namespace {
    // Four lanes are what every 64-bit machine has; GCC and Clang spell them alike.
    using Floats = float __attribute__((vector_size(16)));
    using Words = uint32_t __attribute__((vector_size(16)));
    using Ints = int32_t __attribute__((vector_size(16)));
    constexpr size_t kLanes = 4;

    Floats load(const float* scores)
    {
        Floats lanes;
        std::memcpy(&lanes, scores, sizeof lanes);
        return lanes;
    }

    Floats spread(float value) { return Floats { value, value, value, value }; }

    double sumOf(Floats lanes)
    {
        return (double(lanes[0]) + lanes[1]) + (double(lanes[2]) + lanes[3]);
    }

    /// exp(x) for x <= 0, within 2 ulp; below -87 it stays at exp(-87), which no sum here notices.
    /// Source: Cody & Waite reduction by ln 2 in two parts, minimax polynomial of the Cephes
    /// library.
    Floats expOfNegative(Floats x)
    {
        x = x < spread(-87.0f) ? spread(-87.0f) : x;
        constexpr float kRounder = 12582912.0f; // 1.5 * 2^23: adding it rounds to an integer
        const Floats shifted = x * 1.44269504088896341f + kRounder;
        const Floats n = shifted - kRounder;
        Floats r = x - n * 0.693359375f;
        r = r + n * 2.12194440e-4f;
        Floats p = spread(1.9875691500e-4f);
        p = p * r + 1.3981999507e-3f;
        p = p * r + 8.3334519073e-3f;
        p = p * r + 4.1665795894e-2f;
        p = p * r + 1.6666665459e-1f;
        p = p * r + 5.0000001201e-1f;
        p = p * (r * r) + r + 1.0f;
        // The low bits of `shifted` hold n: moved into the exponent they scale by 2^n.
        const Words exponent = (std::bit_cast<Words>(shifted) << 23) + 0x3F800000u;
        return p * std::bit_cast<Floats>(exponent);
    }
}

void scanMaxima(std::span<const float> scores, ScoreMaxima& maxima)
{
    maxima.blocks.clear();
    maxima.blocks.reserve((scores.size() + kScoreBlock - 1) / kScoreBlock);
    Ints magnitude {};
    bool finite = true;
    size_t start = 0;
    for (; start + kScoreBlock <= scores.size(); start += kScoreBlock) {
        Floats best = load(&scores[start]);
        for (size_t i = start; i < start + kScoreBlock; i += kLanes) {
            const Floats lanes = load(&scores[i]);
            best = lanes > best ? lanes : best;
            const Ints bits = std::bit_cast<Ints>(lanes) & 0x7FFFFFFF;
            magnitude = bits > magnitude ? bits : magnitude;
        }
        maxima.blocks.push_back(std::max({ best[0], best[1], best[2], best[3] }));
    }
    for (size_t lane = 0; lane < kLanes; ++lane)
        finite = finite && magnitude[lane] < 0x7F800000;
    if (start < scores.size()) {
        float best = scores[start];
        for (size_t i = start; i < scores.size(); ++i) {
            best = std::max(best, scores[i]);
            finite = finite && (std::bit_cast<uint32_t>(scores[i]) & 0x7FFFFFFFu) < 0x7F800000u;
        }
        maxima.blocks.push_back(best);
    }
    maxima.finite = finite;
    maxima.best = *std::max_element(maxima.blocks.begin(), maxima.blocks.end());
}

ScoreMass scanMass(std::span<const float> scores, float best, float scale)
{
    constexpr size_t kStretch = 1024; // few enough additions in float before the double takes over
    ScoreMass sums;
    const size_t whole = scores.size() / kLanes * kLanes;
    for (size_t start = 0; start < whole; start += kStretch) {
        const size_t end = std::min(start + kStretch, whole);
        Floats mass {};
        Floats weighted {};
        for (size_t i = start; i < end; i += kLanes) {
            const Floats d = (load(&scores[i]) - best) * scale;
            const Floats clamped = d < spread(-87.0f) ? spread(-87.0f) : d;
            const Floats weight = expOfNegative(clamped);
            mass += weight;
            weighted += weight * clamped;
        }
        sums.mass += sumOf(mass);
        sums.weighted += sumOf(weighted);
    }
    for (size_t i = whole; i < scores.size(); ++i) {
        const float d = std::max((scores[i] - best) * scale, -87.0f);
        const float weight = expOfNegative(spread(d))[0];
        sums.mass += double(weight);
        sums.weighted += double(weight) * double(d);
    }
    return sums;
}

int countBefore(std::span<const float> scores, size_t index)
{
    const float own = scores[index];
    const size_t whole = scores.size() / kLanes * kLanes;
    Ints larger {};
    Ints equal {}; // earlier ones only
    const size_t earlier = index / kLanes * kLanes;
    for (size_t i = 0; i < earlier; i += kLanes) {
        larger -= load(&scores[i]) > own; // a true lane is -1
        equal -= load(&scores[i]) == own;
    }
    for (size_t i = earlier; i < whole; i += kLanes)
        larger -= load(&scores[i]) > own;
    int count = 0;
    for (size_t lane = 0; lane < kLanes; ++lane)
        count += larger[lane] + equal[lane];
    for (size_t i = whole; i < scores.size(); ++i)
        count += scores[i] > own;
    for (size_t i = earlier; i < index; ++i)
        count += scores[i] == own;
    return count;
}

} // namespace engine
