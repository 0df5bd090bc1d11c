#include "engine/gguf/tensor_type.h"

#include "engine/base/checked_math.h"

#include <array>
#include <cassert>

namespace engine {

namespace {
    constexpr std::array kTable {
        TensorTypeInfo { TensorType::F32, "F32", 1, 4, true },
        TensorTypeInfo { TensorType::F16, "F16", 1, 2, true },
        TensorTypeInfo { TensorType::Q4_0, "Q4_0", 32, 18, true },
        TensorTypeInfo { TensorType::Q4_1, "Q4_1", 32, 20, true },
        TensorTypeInfo { TensorType::Q5_0, "Q5_0", 32, 22, true },
        TensorTypeInfo { TensorType::Q5_1, "Q5_1", 32, 24, false },
        TensorTypeInfo { TensorType::Q8_0, "Q8_0", 32, 34, true },
        TensorTypeInfo { TensorType::Q8_1, "Q8_1", 32, 36, false },
        TensorTypeInfo { TensorType::Q2_K, "Q2_K", 256, 84, false },
        TensorTypeInfo { TensorType::Q3_K, "Q3_K", 256, 110, false },
        TensorTypeInfo { TensorType::Q4_K, "Q4_K", 256, 144, true },
        TensorTypeInfo { TensorType::Q5_K, "Q5_K", 256, 176, true },
        TensorTypeInfo { TensorType::Q6_K, "Q6_K", 256, 210, true },
        TensorTypeInfo { TensorType::Q8_K, "Q8_K", 256, 292, false },
        TensorTypeInfo { TensorType::IQ2_XXS, "IQ2_XXS", 256, 66, false },
        TensorTypeInfo { TensorType::IQ2_XS, "IQ2_XS", 256, 74, false },
        TensorTypeInfo { TensorType::IQ3_XXS, "IQ3_XXS", 256, 98, false },
        TensorTypeInfo { TensorType::IQ1_S, "IQ1_S", 256, 50, false },
        TensorTypeInfo { TensorType::IQ4_NL, "IQ4_NL", 32, 18, false },
        TensorTypeInfo { TensorType::IQ3_S, "IQ3_S", 256, 110, false },
        TensorTypeInfo { TensorType::IQ2_S, "IQ2_S", 256, 82, false },
        TensorTypeInfo { TensorType::IQ4_XS, "IQ4_XS", 256, 136, false },
        TensorTypeInfo { TensorType::I8, "I8", 1, 1, false },
        TensorTypeInfo { TensorType::I16, "I16", 1, 2, false },
        TensorTypeInfo { TensorType::I32, "I32", 1, 4, false },
        TensorTypeInfo { TensorType::I64, "I64", 1, 8, false },
        TensorTypeInfo { TensorType::F64, "F64", 1, 8, false },
        TensorTypeInfo { TensorType::IQ1_M, "IQ1_M", 256, 56, false },
        TensorTypeInfo { TensorType::BF16, "BF16", 1, 2, true },
        TensorTypeInfo { TensorType::TQ1_0, "TQ1_0", 256, 54, false },
        TensorTypeInfo { TensorType::TQ2_0, "TQ2_0", 256, 66, false },
        TensorTypeInfo { TensorType::MXFP4, "MXFP4", 32, 17, false },
    };
}

std::span<const TensorTypeInfo> tensorTypeTable() { return kTable; }

const TensorTypeInfo* findTensorType(uint32_t number)
{
    for (const TensorTypeInfo& info : kTable)
        if (uint32_t(info.type) == number)
            return &info;
    return nullptr;
}

const TensorTypeInfo& tensorTypeInfo(TensorType type)
{
    const TensorTypeInfo* info = findTensorType(uint32_t(type));
    assert(info); // every enumerator has a row
    return *info;
}

Result<uint64_t> tensorBytes(TensorType type, std::span<const uint64_t> dimensions)
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    if (dimensions.empty())
        return Error::badFile("a tensor has no dimensions");
    if (dimensions[0] % info.valuesPerQuantBlock != 0)
        return Error::badFile("rows of " + std::to_string(dimensions[0])
            + " values cannot be cut into " + info.name + " blocks of "
            + std::to_string(info.valuesPerQuantBlock));
    uint64_t bytes = dimensions[0] / info.valuesPerQuantBlock;
    bool fits = multiplyChecked(bytes, info.bytesPerQuantBlock, bytes);
    for (uint64_t dimension : dimensions.subspan(1))
        fits = fits && multiplyChecked(bytes, dimension, bytes);
    if (!fits)
        return Error::badFile("the dimensions ask for more bytes than 64 bits can count");
    return bytes;
}

} // namespace engine
