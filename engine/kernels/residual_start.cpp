#include "engine/kernels/residual_start.h"

#include "shaders/residual_start.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t stride;
        uint32_t squaresStride;
    };
}

Result<ResidualStart> ResidualStart::create(KernelContext& context, const ResidualStartOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "residual_start",
            .spirv = shaders::residual_start(),
            .constants = {},
            .bindings = { UniformTexel, UniformTexel, StorageBuffer, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        }));
    const ResidualStream& stream = options.stream;
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(context.device(), *pipeline,
            { stream.residual.texels(), options.weight.texels(), stream.scaled.buffer(), stream.squares.buffer() }));
    return ResidualStart(options, *pipeline, std::move(set));
}

void ResidualStart::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    recorder.bind(*m_pipeline, m_set);
    recorder.push(Shape { m_options.stream.residual.strideTexels(), m_options.stream.squares.strideTexels() });
    recorder.dispatch(tokenCount);
}

} // namespace engine
