#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstdint>
#include <span>

namespace engine {

/// Operations that read weights: each has one shader variant per tensor type.
enum class WeightOperation { Matmul, MatmulNormed, MatmulResidual, GateUp, GateUpNormed, Embed };

/// "matmul", ...: the stem of its shader.
const char* weightOperationName(WeightOperation operation);

/// The SPIR-V of an operation for a tensor type that has a weight layout.
std::span<const uint32_t> weightShader(WeightOperation operation, TensorType type);

} // namespace engine
