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
#include "shaders/matmul_q4_0.h"
#include "shaders/matmul_q4_1.h"
#include "shaders/matmul_q4_k.h"
#include "shaders/matmul_q5_0.h"
#include "shaders/matmul_q5_k.h"
#include "shaders/matmul_q6_k.h"
#include "shaders/matmul_q8_0.h"

#include <array>

namespace engine {

namespace {
    using Code = std::span<const uint32_t> (*)();

    struct Variants {
        TensorType type;
        std::array<Code, 3> code; ///< in the order of WeightOperation
    };

    constexpr std::array kVariants {
        Variants { TensorType::F32, { shaders::matmul_f32, shaders::gate_up_f32, shaders::embed_f32 } },
        Variants { TensorType::F16, { shaders::matmul_f16, shaders::gate_up_f16, shaders::embed_f16 } },
        Variants { TensorType::BF16, { shaders::matmul_bf16, shaders::gate_up_bf16, shaders::embed_bf16 } },
        Variants { TensorType::Q4_0, { shaders::matmul_q4_0, shaders::gate_up_q4_0, shaders::embed_q4_0 } },
        Variants { TensorType::Q4_1, { shaders::matmul_q4_1, shaders::gate_up_q4_1, shaders::embed_q4_1 } },
        Variants { TensorType::Q5_0, { shaders::matmul_q5_0, shaders::gate_up_q5_0, shaders::embed_q5_0 } },
        Variants { TensorType::Q8_0, { shaders::matmul_q8_0, shaders::gate_up_q8_0, shaders::embed_q8_0 } },
        Variants { TensorType::Q4_K, { shaders::matmul_q4_k, shaders::gate_up_q4_k, shaders::embed_q4_k } },
        Variants { TensorType::Q5_K, { shaders::matmul_q5_k, shaders::gate_up_q5_k, shaders::embed_q5_k } },
        Variants { TensorType::Q6_K, { shaders::matmul_q6_k, shaders::gate_up_q6_k, shaders::embed_q6_k } },
    };
}

std::span<const uint32_t> weightShader(WeightOperation operation, TensorType type)
{
    for (const Variants& variants : kVariants)
        if (variants.type == type)
            return variants.code[size_t(operation)]();
    return {};
}

} // namespace engine
