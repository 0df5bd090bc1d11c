#include "engine/kernels/rms_norm.h"

#include "shaders/rms_norm.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t columnCount;
        uint32_t stride;
        float epsilon;
    };
}

Result<RmsNorm> RmsNorm::create(KernelContext& context, const RmsNormOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "rms_norm",
            .spirv = shaders::rms_norm(),
            .constants = { { 3, options.adds ? 1u : 0u }, { 4, options.scoredOnly ? 1u : 0u } },
            .bindings = { UniformTexel, UniformTexel, StorageBuffer, UniformTexel },
            .pushConstantBytes = sizeof(Shape),
        }));
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(context.device(), *pipeline,
            { options.x.texels(), options.weight.texels(), options.y.buffer(), options.rows.scoredRows() }));
    return RmsNorm(options, *pipeline, std::move(set));
}

void RmsNorm::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    recorder.bind(*m_pipeline, m_set);
    recorder.push(Shape { m_options.x.columns(), m_options.x.strideTexels(), m_options.epsilon });
    recorder.dispatch(tokenCount);
}

} // namespace engine
