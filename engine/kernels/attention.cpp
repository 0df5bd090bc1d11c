#include "engine/kernels/attention.h"

#include "shaders/attention.h"
#include "shaders/attention_merge.h"

namespace engine {

namespace {
    struct SplitShape {
        uint32_t kvHeadCount;
        uint32_t groupSize;
        uint32_t headUnits;
        uint32_t qStride;
        uint32_t splitRoom;
        uint32_t window;
        float scale;
        uint32_t attendedStride;
        uint32_t joined;
    };
    struct MergeShape {
        uint32_t headUnits;
        uint32_t headCount;
        uint32_t splitRoom;
        uint32_t window;
        uint32_t attendedStride;
    };

    /// More heads share each read of a page, until registers run out.
    constexpr uint32_t kMostHeads = 4;
}

uint32_t Attention::headsPerWorkgroup(uint32_t groupSize)
{
    const uint32_t tiles = (groupSize + kMostHeads - 1) / kMostHeads;
    return (groupSize + tiles - 1) / tiles;
}

uint64_t Attention::partialBytes(uint32_t rowCount, uint32_t headCount, uint32_t headDim, uint32_t splitCount)
{
    return uint64_t(rowCount) * headCount * splitCount * (headDim + 2) * sizeof(float);
}

Result<Attention> Attention::create(KernelContext& context, const AttentionOptions& options)
{
    using enum vk::BindingType;
    const uint32_t heads = headsPerWorkgroup(options.headCount / options.pages.shape().kvHeadCount);
    if (kKvPageTokens % context.lanes() != 0)
        return Error::unsupported("This device works in subgroups of " + std::to_string(context.lanes())
            + ", and attention needs a size that divides " + std::to_string(kKvPageTokens) + ".");
    TRY_ASSIGN(const vk::ComputePipeline* split,
        context.pipeline({
            .name = "attention",
            .spirv = shaders::attention(),
            .constants = { { 1, heads }, { 2, kKvPageTokens / context.lanes() } },
            .bindings = { UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel, StorageBuffer,
                StorageBuffer },
            .pushConstantBytes = sizeof(SplitShape),
        }));
    TRY_ASSIGN(const vk::ComputePipeline* merge,
        context.pipeline({
            .name = "attention_merge",
            .spirv = shaders::attention_merge(),
            .constants = { { 5, kKvPageTokens } },
            .bindings = { UniformTexel, UniformTexel, StorageBuffer },
            .pushConstantBytes = sizeof(MergeShape),
        }));
    TRY_ASSIGN(vk::BindingSet splitSet,
        vk::BindingSet::create(context.device(), *split,
            { options.q.texels(), options.rows.rows(), options.rows.tables(), options.pages.keyTexels(),
                options.pages.valueTexels(), options.partial, options.y.buffer() }));
    TRY_ASSIGN(vk::BindingSet mergeSet,
        vk::BindingSet::create(
            context.device(), *merge, { options.partialFloats, options.rows.rows(), options.y.buffer() }));
    Attention attention(options, std::move(splitSet), std::move(mergeSet));
    attention.m_headsPerGroup = heads;
    attention.m_split = split;
    attention.m_merge = merge;
    return attention;
}

void Attention::record(vk::Recorder& recorder, uint32_t tokenCount, uint32_t splitCount) const
{
    const KvShape& shape = m_options.pages.shape();
    const uint32_t groupSize = m_options.headCount / shape.kvHeadCount;
    recorder.bind(*m_split, m_splitSet);
    recorder.push(SplitShape {
        .kvHeadCount = shape.kvHeadCount,
        .groupSize = groupSize,
        .headUnits = shape.headDim / 8,
        .qStride = m_options.q.stride(),
        .splitRoom = m_options.splitCount,
        .window = m_options.window,
        .scale = m_options.scale,
        .attendedStride = m_options.y.stride(),
        .joined = splitCount == 1 ? 1u : 0u,
    });
    const uint32_t tiles = (groupSize + m_headsPerGroup - 1) / m_headsPerGroup;
    recorder.dispatch(shape.kvHeadCount * tiles, splitCount, tokenCount);
    if (splitCount == 1)
        return;
    recorder.barrier();
    recorder.bind(*m_merge, m_mergeSet);
    recorder.push(MergeShape {
        .headUnits = shape.headDim / 8,
        .headCount = m_options.headCount,
        .splitRoom = m_options.splitCount,
        .window = m_options.window,
        .attendedStride = m_options.y.stride(),
    });
    recorder.dispatch(m_options.headCount, tokenCount);
}

} // namespace engine
