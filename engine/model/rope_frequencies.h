#pragma once

#include "engine/base/result.h"
#include "engine/model/model_config.h"

#include <span>
#include <vector>

namespace engine {

/// The angle per position of each pair of a head, in radians: [headDim / 2].
/// factors: rope_freqs.weight, [headDim / 2], or empty. Computed in double, so that every user of a
/// model rotates by the same numbers. Source: Su et al. 2021 (RoFormer); factors: Llama 3.1.
std::vector<double> ropeFrequencies(
    const RopeSettings& rope, uint32_t headDim, std::span<const float> factors);

/// rope_freqs.weight as numbers, empty when the model has none. Errors: Io; BadFile for a factor
/// that is not positive.
Result<std::vector<float>> readRopeFactors(const GgufFile& file, const ModelConfig& config);

} // namespace engine
