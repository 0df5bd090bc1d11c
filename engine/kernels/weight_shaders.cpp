#include "engine/kernels/weight_shaders.h"

#include "shaders/embed_bf16.h"
#include "shaders/embed_f16.h"
#include "shaders/embed_f32.h"
#include "shaders/embed_q4_0.h"
#include "shaders/embed_q4_1.h"
#include "shaders/embed_q4_k.h"
#include "shaders/embed_q5_0.h"
#include "shaders/embed_q5_k.h"
#include "shaders/embed_q6_k.h"
#include "shaders/embed_q8_0.h"
#include "shaders/gate_up_bf16.h"
#include "shaders/gate_up_f16.h"
#include "shaders/gate_up_f32.h"
#include "shaders/gate_up_normed_bf16.h"
#include "shaders/gate_up_normed_f16.h"
#include "shaders/gate_up_normed_f32.h"
#include "shaders/gate_up_normed_q4_0.h"
#include "shaders/gate_up_normed_q4_1.h"
#include "shaders/gate_up_normed_q4_k.h"
#include "shaders/gate_up_normed_q5_0.h"
#include "shaders/gate_up_normed_q5_k.h"
#include "shaders/gate_up_normed_q6_k.h"
#include "shaders/gate_up_normed_q8_0.h"
#include "shaders/gate_up_q4_0.h"
#include "shaders/gate_up_q4_1.h"
#include "shaders/gate_up_q4_k.h"
#include "shaders/gate_up_q5_0.h"
#include "shaders/gate_up_q5_k.h"
#include "shaders/gate_up_q6_k.h"
#include "shaders/gate_up_q8_0.h"
#include "shaders/matmul_bf16.h"
#include "shaders/matmul_f16.h"
#include "shaders/matmul_f32.h"
#include "shaders/matmul_normed_bf16.h"
#include "shaders/matmul_normed_f16.h"
#include "shaders/matmul_normed_f32.h"
#include "shaders/matmul_normed_q4_0.h"
#include "shaders/matmul_normed_q4_1.h"
#include "shaders/matmul_normed_q4_k.h"
#include "shaders/matmul_normed_q5_0.h"
#include "shaders/matmul_normed_q5_k.h"
#include "shaders/matmul_normed_q6_k.h"
#include "shaders/matmul_normed_q8_0.h"
#include "shaders/matmul_q4_0.h"
#include "shaders/matmul_q4_1.h"
#include "shaders/matmul_q4_k.h"
#include "shaders/matmul_q5_0.h"
#include "shaders/matmul_q5_k.h"
#include "shaders/matmul_q6_k.h"
#include "shaders/matmul_q8_0.h"
#include "shaders/matmul_residual_bf16.h"
#include "shaders/matmul_residual_f16.h"
#include "shaders/matmul_residual_f32.h"
#include "shaders/matmul_residual_q4_0.h"
#include "shaders/matmul_residual_q4_1.h"
#include "shaders/matmul_residual_q4_k.h"
#include "shaders/matmul_residual_q5_0.h"
#include "shaders/matmul_residual_q5_k.h"
#include "shaders/matmul_residual_q6_k.h"
#include "shaders/matmul_residual_q8_0.h"

#include <array>

namespace engine {

namespace {
    using Code = std::span<const uint32_t> (*)();

    /// The variants of one operation, for the types in the order of kTypes.
    struct Variants {
        const char* name;
        std::array<Code, 10> code;
    };

    constexpr std::array kTypes { TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0, TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K };

    /// In the order of WeightOperation.
    constexpr std::array kOperations {
        Variants { "matmul",
            { shaders::matmul_f32, shaders::matmul_f16, shaders::matmul_bf16, shaders::matmul_q4_0, shaders::matmul_q4_1, shaders::matmul_q5_0, shaders::matmul_q8_0, shaders::matmul_q4_k, shaders::matmul_q5_k, shaders::matmul_q6_k } },
        Variants { "matmul_normed",
            { shaders::matmul_normed_f32, shaders::matmul_normed_f16, shaders::matmul_normed_bf16, shaders::matmul_normed_q4_0, shaders::matmul_normed_q4_1, shaders::matmul_normed_q5_0, shaders::matmul_normed_q8_0, shaders::matmul_normed_q4_k, shaders::matmul_normed_q5_k, shaders::matmul_normed_q6_k } },
        Variants { "matmul_residual",
            { shaders::matmul_residual_f32, shaders::matmul_residual_f16, shaders::matmul_residual_bf16, shaders::matmul_residual_q4_0, shaders::matmul_residual_q4_1, shaders::matmul_residual_q5_0, shaders::matmul_residual_q8_0, shaders::matmul_residual_q4_k, shaders::matmul_residual_q5_k, shaders::matmul_residual_q6_k } },
        Variants { "gate_up",
            { shaders::gate_up_f32, shaders::gate_up_f16, shaders::gate_up_bf16, shaders::gate_up_q4_0, shaders::gate_up_q4_1, shaders::gate_up_q5_0, shaders::gate_up_q8_0, shaders::gate_up_q4_k, shaders::gate_up_q5_k, shaders::gate_up_q6_k } },
        Variants { "gate_up_normed",
            { shaders::gate_up_normed_f32, shaders::gate_up_normed_f16, shaders::gate_up_normed_bf16, shaders::gate_up_normed_q4_0, shaders::gate_up_normed_q4_1, shaders::gate_up_normed_q5_0, shaders::gate_up_normed_q8_0, shaders::gate_up_normed_q4_k, shaders::gate_up_normed_q5_k, shaders::gate_up_normed_q6_k } },
        Variants { "embed",
            { shaders::embed_f32, shaders::embed_f16, shaders::embed_bf16, shaders::embed_q4_0, shaders::embed_q4_1, shaders::embed_q5_0, shaders::embed_q8_0, shaders::embed_q4_k, shaders::embed_q5_k, shaders::embed_q6_k } },
    };
}

const char* weightOperationName(WeightOperation operation) { return kOperations[size_t(operation)].name; }

std::span<const uint32_t> weightShader(WeightOperation operation, TensorType type)
{
    for (size_t i = 0; i < kTypes.size(); ++i)
        if (kTypes[i] == type)
            return kOperations[size_t(operation)].code[i]();
    return {};
}

} // namespace engine
