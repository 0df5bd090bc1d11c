#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <span>

namespace engine {

/// The numbers that a run of whole quantBlocks stands for. values: one per stored value.
/// Errors: Unsupported for a type that does not run; BadRequest when the sizes do not belong
/// together. Source: the block layouts of ggml (ggml-org/ggml, src/ggml-common.h), read as
/// described in dequantize.cpp.
Result<void> dequantize(TensorType type, std::span<const std::byte> bytes, std::span<float> values);

} // namespace engine
