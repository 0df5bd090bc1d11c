#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/kernels/kv_pages.h"
#include "engine/vulkan/recorder.h"

#include <span>

namespace engine {

/// (cos, sin) of every pair at positions 0 .. 255 and at multiples of 256: any position is the sum
/// of one of each. Computed in double.
class RotationTable {
public:
    /// frequencies: radians a position, [headDim / 2].
    static Result<RotationTable> create(
        vk::Device& device, std::span<const double> frequencies, uint32_t contextLength);

    const vk::TexelView& fine() const { return m_fineView; } ///< Float2, [256][pairs]
    const vk::TexelView& coarse() const { return m_coarseView; } ///< Float2, [positions / 256][pairs]

private:
    RotationTable(vk::Buffer fine, vk::Buffer coarse, vk::TexelView fineView, vk::TexelView coarseView)
        : m_fine(std::move(fine))
        , m_coarse(std::move(coarse))
        , m_fineView(std::move(fineView))
        , m_coarseView(std::move(coarseView))
    {
    }

    vk::Buffer m_fine;
    vk::Buffer m_coarse;
    vk::TexelView m_fineView;
    vk::TexelView m_coarseView;
};

struct RopeStoreOptions {
    const Activations& qkv; ///< [tokens, q heads, then at kOffset k heads, then at vOffset v heads]
    const BatchRows& rows;
    const RotationTable& rotation;
    const Activations* normWeights = nullptr; ///< [1, 2 * headDim]: of q, of k; null: no q/k-norm
    const Activations& q; ///< [tokens, headCount * headDim]: rotated
    const KvPages& pages; ///< of this layer
    uint32_t headCount = 0;
    uint32_t kOffset = 0; ///< columns
    uint32_t vOffset = 0;
    float epsilon = 0.0f; ///< of the q/k-norm
};

/// Rotates q and k (after an optional RMSNorm of each head), and stores k and v in the pages.
/// Source: Su et al. 2021 (RoFormer).
class RopeStore {
public:
    static Result<RopeStore> create(KernelContext& context, const RopeStoreOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    RopeStore(const RopeStoreOptions& options, const vk::ComputePipeline& pipeline, vk::BindingSet set)
        : m_options(options)
        , m_pipeline(&pipeline)
        , m_set(std::move(set))
    {
    }

    RopeStoreOptions m_options;
    const vk::ComputePipeline* m_pipeline;
    vk::BindingSet m_set;
};

} // namespace engine
