#include "engine/kernels/normed_products.h"

namespace engine {

namespace {
    struct NormedShape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t yOffset;
        uint32_t tokenCount;
        uint32_t biased;
        uint32_t squaresStride;
        uint32_t squaresUsed;
        uint32_t columnCount;
        float epsilon;
        uint32_t firstRow;
    };
    struct GateUpShape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t upOffset;
        uint32_t tokenCount;
        uint32_t squaresStride;
        uint32_t squaresUsed;
        uint32_t columnCount;
        float epsilon;
    };
    struct ResidualShape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t squaresStride;
        uint32_t tokenCount;
    };
}

Result<MatmulNormed> MatmulNormed::create(KernelContext& context, const MatmulNormedOptions& options)
{
    using enum vk::BindingType;
    const ResidualStream& stream = options.stream;
    TRY_ASSIGN(WeightProduct product,
        WeightProduct::create(context,
            { .operation = WeightOperation::MatmulNormed,
                .weights = options.weights,
                .bindingTypes = { UniformTexel, StorageBuffer, UniformTexel, UniformTexel, UniformTexel },
                .resources = { stream.scaled.texels(), options.y.buffer(),
                    options.bias ? options.bias->floats() : stream.scaled.floats(), stream.squares.texels(),
                    options.rows.scoredRows() },
                .constants = { { 3, options.scoredOnly ? 1u : 0u } },
                .pushConstantBytes = sizeof(NormedShape) }));
    return MatmulNormed(options, std::move(product));
}

void MatmulNormed::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    const ResidualStream& stream = m_options.stream;
    m_product.record(recorder, tokenCount, [&](const WeightProduct::Part& part) {
        return NormedShape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = stream.scaled.strideTexels(),
            .yStride = m_options.y.stride(),
            .yOffset = m_options.yOffset + part.firstRow,
            .tokenCount = tokenCount,
            .biased = m_options.bias ? 1u : 0u,
            .squaresStride = stream.squares.strideTexels(),
            .squaresUsed = (stream.squaresCount + 3) / 4,
            .columnCount = stream.residual.columns(),
            .epsilon = stream.epsilon,
            .firstRow = part.firstRow,
        };
    });
}

Result<GateUpNormed> GateUpNormed::create(KernelContext& context, const GateUpNormedOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(WeightProduct product,
        WeightProduct::create(context,
            { .operation = WeightOperation::GateUpNormed,
                .weights = options.weights,
                .bindingTypes = { UniformTexel, StorageBuffer, UniformTexel },
                .resources = { options.stream.scaled.texels(), options.y.buffer(), options.stream.squares.texels() },
                .constants = { { 3, options.gelu ? 1u : 0u } },
                .pushConstantBytes = sizeof(GateUpShape),
                .paired = true }));
    return GateUpNormed(options, std::move(product));
}

void GateUpNormed::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    const ResidualStream& stream = m_options.stream;
    m_product.record(recorder, tokenCount, [&](const WeightProduct::Part& part) {
        return GateUpShape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = stream.scaled.strideTexels(),
            .yStride = m_options.y.stride(),
            .upOffset = part.rowCount,
            .tokenCount = tokenCount,
            .squaresStride = stream.squares.strideTexels(),
            .squaresUsed = (stream.squaresCount + 3) / 4,
            .columnCount = stream.residual.columns(),
            .epsilon = stream.epsilon,
        };
    });
}

uint32_t MatmulResidual::squaresCount(uint32_t paddedRows, uint32_t lanes)
{
    const uint32_t rows = chooseTileShape(lanes, 1).rowsPerLane * lanes;
    return (paddedRows + rows - 1) / rows;
}

Result<MatmulResidual> MatmulResidual::create(KernelContext& context, const MatmulResidualOptions& options)
{
    using enum vk::BindingType;
    const ResidualStream& stream = options.stream;
    TRY_ASSIGN(WeightProduct product,
        WeightProduct::create(context,
            { .operation = WeightOperation::MatmulResidual,
                .weights = options.weights,
                .bindingTypes = { UniformTexel, StorageBuffer, StorageBuffer, StorageBuffer, UniformTexel },
                .resources = { options.x.texels(), stream.residual.buffer(), stream.scaled.buffer(),
                    stream.squares.buffer(), options.nextWeight.floats() },
                .constants = {},
                .pushConstantBytes = sizeof(ResidualShape) }));
    return MatmulResidual(options, std::move(product));
}

void MatmulResidual::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    const ResidualStream& stream = m_options.stream;
    m_product.record(recorder, tokenCount, [&](const WeightProduct::Part& part) {
        return ResidualShape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = m_options.x.strideTexels(),
            .yStride = stream.residual.stride(),
            .squaresStride = stream.squares.stride(),
            .tokenCount = tokenCount,
        };
    });
}

} // namespace engine
