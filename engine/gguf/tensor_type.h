#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// GGUF tensor types, numbered as in the file format.
enum class TensorType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q8_1 = 9,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    Q8_K = 15,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    I8 = 24,
    I16 = 25,
    I32 = 26,
    I64 = 27,
    F64 = 28,
    IQ1_M = 29,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
};

/// One row of the only table of tensor types: everything else asks this.
struct TensorTypeInfo {
    TensorType type;
    const char* name; ///< as users know it: "Q4_K"
    uint32_t valuesPerQuantBlock; ///< 1 for plain types
    uint32_t bytesPerQuantBlock;
    bool runnable; ///< this engine has kernels for it
};

/// All known types. Source: the GGUF specification (ggml-org/ggml, docs/gguf.md).
std::span<const TensorTypeInfo> tensorTypeTable();

/// The row of a type, or nullptr when the number is not a known type.
const TensorTypeInfo* findTensorType(uint32_t number);

/// The row of a known type.
const TensorTypeInfo& tensorTypeInfo(TensorType type);

/// Bytes of a tensor of this type and dimensions (innermost first).
/// Errors: BadFile when the innermost dimension is no multiple of the quantBlock or the size passes 64 bits.
Result<uint64_t> tensorBytes(TensorType type, std::span<const uint64_t> dimensions);

} // namespace engine
