#pragma once

#include "engine/kernels/activations.h"
#include "engine/vulkan/recorder.h"

namespace engine {

struct ScanScoresOptions {
    const Activations& scores; ///< [1 or more, vocabularySize]: the first row is looked at
    uint32_t scoreCount = 0; ///< vocabularySize
};

/// Maxima and sums of a row of scores, by groups of 4,096: all that ChooseToken needs to find the
/// best ones without looking at every score again.
class ScanScores {
public:
    static constexpr uint32_t kBlockScores = 64;
    static constexpr uint32_t kGroupBlocks = 64;

    static Result<ScanScores> create(KernelContext& context, const ScanScoresOptions& options);

    void record(vk::Recorder& recorder) const;

    const Activations& scores() const { return m_options.scores; }
    uint32_t scoreCount() const { return m_options.scoreCount; }
    uint32_t groupCount() const { return m_groupCount; }
    const vk::Buffer& blocks() const { return m_blocks; } ///< [groups * kGroupBlocks] f32: maxima
    const vk::Buffer& groupBuffer() const { return m_groups; }
    /// Float4, [groups]: largest score, sum of exp(d), sum of exp(d) * d, 1 where not finite.
    const vk::TexelView& groups() const { return m_groupTexels; }

private:
    ScanScores(const ScanScoresOptions& options, vk::Buffer blocks, vk::Buffer groups,
        vk::TexelView groupTexels, vk::BindingSet set)
        : m_options(options)
        , m_blocks(std::move(blocks))
        , m_groups(std::move(groups))
        , m_groupTexels(std::move(groupTexels))
        , m_set(std::move(set))
    {
    }

    ScanScoresOptions m_options;
    uint32_t m_groupCount = 0;
    const vk::ComputePipeline* m_pipeline = nullptr;
    vk::Buffer m_blocks;
    vk::Buffer m_groups;
    vk::TexelView m_groupTexels;
    vk::BindingSet m_set;
};

} // namespace engine
