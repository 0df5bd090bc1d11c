#include "engine/kernels/gate_up.h"

#include "shaders/gated.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t xStride;
        uint32_t yStride;
        uint32_t upOffset;
        uint32_t tokenCount;
    };
    struct GatedShape {
        uint32_t columnCount;
        uint32_t stride;
    };
}

Result<GateUp> GateUp::create(KernelContext& context, const GateUpOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(WeightProduct product,
        WeightProduct::create(context,
            { .operation = WeightOperation::GateUp,
                .weights = options.weights,
                .bindingTypes = { UniformTexel, StorageBuffer },
                .resources = { options.x.texels(), options.y.buffer() },
                .constants = { { 3, options.gelu ? 1u : 0u } },
                .pushConstantBytes = sizeof(Shape),
                .paired = true }));
    return GateUp(options, std::move(product));
}

void GateUp::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    m_product.record(recorder, tokenCount, [&](const WeightProduct::Part& part) {
        return Shape {
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .xStride = m_options.x.strideTexels(),
            .yStride = m_options.y.stride(),
            .upOffset = part.rowCount,
            .tokenCount = tokenCount,
        };
    });
}

Result<Gated> Gated::create(KernelContext& context, const GatedOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "gated",
            .spirv = shaders::gated(),
            .constants = { { 3, options.gelu ? 1u : 0u } },
            .bindings = { UniformTexel, StorageBuffer },
            .pushConstantBytes = sizeof(GatedShape),
        }));
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(context.device(), *pipeline, { options.gateUp.floats(), options.y.buffer() }));
    return Gated(options, context.lanes(), *pipeline, std::move(set));
}

void Gated::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    recorder.bind(*m_pipeline, m_set);
    recorder.push(GatedShape { m_options.y.stride(), m_options.y.stride() });
    recorder.dispatch((m_options.y.stride() + m_lanes - 1) / m_lanes, tokenCount);
}

} // namespace engine
