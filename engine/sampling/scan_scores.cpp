#include "engine/sampling/scan_scores.h"

#include "shaders/scan_scores.h"

namespace engine {

namespace {
    struct Shape {
        uint32_t firstTexel;
        uint32_t scoreCount;
    };
}

Result<ScanScores> ScanScores::create(KernelContext& context, const ScanScoresOptions& options)
{
    using enum vk::BindingType;
    constexpr uint32_t kGroupScores = kGroupBlocks * kBlockScores;
    const uint32_t groupCount = (options.scoreCount + kGroupScores - 1) / kGroupScores;
    const auto room = [&](uint64_t floats, const char* purpose) {
        return vk::Buffer::create(context.device(),
            { .bytes = floats * sizeof(float),
                .domain = vk::BufferDomain::Device,
                .purpose = purpose });
    };
    TRY_ASSIGN(vk::Buffer blocks, room(uint64_t(groupCount) * kGroupBlocks, "maxima of scores"));
    TRY_ASSIGN(vk::Buffer groups, room(uint64_t(groupCount) * 4, "sums of scores"));
    TRY_ASSIGN(vk::TexelView groupTexels,
        vk::TexelView::create(context.device(), groups, { .format = vk::TexelFormat::Float4 }));
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "scan_scores",
            .spirv = shaders::scan_scores(),
            .constants = {},
            .bindings = { UniformTexel, StorageBuffer, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        }));
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(
            context.device(), *pipeline, { options.scores.texels(), blocks, groups }));
    ScanScores scan(
        options, std::move(blocks), std::move(groups), std::move(groupTexels), std::move(set));
    scan.m_groupCount = groupCount;
    scan.m_pipeline = pipeline;
    return scan;
}

void ScanScores::record(vk::Recorder& recorder) const
{
    recorder.bind(*m_pipeline, m_set);
    recorder.push(Shape { .firstTexel = 0, .scoreCount = m_options.scoreCount });
    recorder.dispatch(m_groupCount);
}

} // namespace engine
