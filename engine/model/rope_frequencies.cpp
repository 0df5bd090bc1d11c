#include "engine/model/rope_frequencies.h"

#include <cassert>
#include <cmath>

namespace engine {

std::vector<double> ropeFrequencies(
    const RopeSettings& rope, uint32_t headDim, std::span<const float> factors)
{
    assert(!rope.frequencyFactors || factors.size() == headDim / 2);
    std::vector<double> frequencies(headDim / 2);
    for (uint32_t i = 0; i < headDim / 2; ++i) {
        const double factor = rope.frequencyFactors ? double(factors[i]) : 1.0;
        frequencies[i]
            = double(rope.positionScale) / factor * std::pow(double(rope.base), -2.0 * i / headDim);
    }
    return frequencies;
}

Result<std::vector<float>> readRopeFactors(const GgufFile& file, const ModelConfig& config)
{
    std::vector<float> factors;
    if (!config.globalRope.frequencyFactors)
        return factors;
    const TensorInfo* tensor = file.findTensor("rope_freqs.weight");
    if (!tensor || tensor->type != TensorType::F32
        || tensor->bytes != config.headDim / 2 * sizeof(float))
        return Error::badFile(file.path().string() + ": tensor \"rope_freqs.weight\" must hold "
            + std::to_string(config.headDim / 2) + " F32 values");
    factors.resize(config.headDim / 2);
    TRY(file.read(tensor->fileOffset, std::as_writable_bytes(std::span(factors))));
    for (const float factor : factors)
        if (!std::isfinite(factor) || factor <= 0.0f)
            return Error::badFile(file.path().string()
                + ": tensor \"rope_freqs.weight\" holds the factor " + std::to_string(factor)
                + "; positive numbers are expected");
    return factors;
}

} // namespace engine
