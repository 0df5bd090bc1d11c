#include "engine/kernels/matmul.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t yOffset;
        uint32_t tokenCount;
        uint32_t adds;
        uint32_t biased;
        uint32_t firstRow;
    };
}

Result<Matmul> Matmul::create(KernelContext& context, const MatmulOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(WeightProduct product,
        WeightProduct::create(context,
            { .operation = WeightOperation::Matmul,
                .weights = options.weights,
                .bindingTypes = { UniformTexel, StorageBuffer, UniformTexel },
                .resources = { options.x.texels(), options.y.buffer(),
                    options.bias ? options.bias->floats() : options.x.floats() },
                .constants = {},
                .pushConstantBytes = sizeof(Shape) }));
    return Matmul(options, std::move(product));
}

void Matmul::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    m_product.record(recorder, tokenCount, [&](const WeightProduct::Part& part) {
        return Shape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = m_options.x.strideTexels(),
            .yStride = m_options.y.stride(),
            .yOffset = m_options.yOffset + part.firstRow,
            .tokenCount = tokenCount,
            .adds = m_options.adds ? 1u : 0u,
            .biased = m_options.bias ? 1u : 0u,
            .firstRow = part.firstRow,
        };
    });
}

} // namespace engine
