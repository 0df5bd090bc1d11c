#include "engine/kernels/embed.h"

#include "engine/kernels/weight_shaders.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t firstRow;
        uint32_t rowCount;
        uint32_t groupCount;
        uint32_t yStride;
        float scale;
    };
}

Result<Embed> Embed::create(KernelContext& context, const EmbedOptions& options)
{
    using enum vk::BindingType;
    Embed embed(options);
    const WeightLayout& layout = options.weights.layout();
    TRY_ASSIGN(embed.m_pipeline,
        context.pipeline({
            .name = std::string("embed_") + layout.suffix,
            .spirv = weightShader(WeightOperation::Embed, layout.type),
            .constants = {},
            .bindings = { UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        }));
    for (const WeightMatrix::Slab& slab : options.weights.slabs()) {
        std::vector<vk::BoundResource> resources = slab.bindings(layout);
        resources.push_back(options.rows.rows());
        resources.push_back(options.y.buffer());
        TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(context.device(), *embed.m_pipeline, resources));
        embed.m_parts.push_back({ slab.firstRow, slab.rowCount, std::move(set) });
    }
    return embed;
}

void Embed::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    for (const Part& part : m_parts) {
        recorder.bind(*m_pipeline, part.set);
        recorder.push(Shape {
            .firstRow = part.firstRow,
            .rowCount = part.rowCount,
            .groupCount = m_options.weights.groupCount(),
            .yStride = m_options.y.stride(),
            .scale = m_options.scale,
        });
        recorder.dispatch(tokenCount);
    }
}

} // namespace engine
