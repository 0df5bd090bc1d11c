#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/kernels/kv_pages.h"
#include "engine/vulkan/recorder.h"

namespace engine {

struct AttentionOptions {
    const Activations& q; ///< [tokens, headCount * headDim], rotated
    const BatchRows& rows;
    const KvPages& pages; ///< of this layer; the rows' own keys and values are stored already
    const vk::Buffer& partial; ///< scratch of Attention::partialBytes
    const vk::TexelView& partialFloats; ///< the same as Float1
    const Activations& y; ///< [tokens, headCount * headDim]
    uint32_t headCount = 0;
    uint32_t window = 0; ///< positions seen, the token's own included; 0: all before it
    float scale = 1.0f; ///< factor on q . k
    uint32_t splitCount = 0; ///< room for splits in partial
};

/// Causal attention of each row over its sequence's pages: the context is cut at fixed places, each
/// split is summed on its own, and the splits are joined in order. Results depend on the row alone.
/// Source: Vaswani et al. 2017; grouped heads: Ainslie et al. 2023; paging: Kwon et al. 2023.
class Attention {
public:
    static Result<Attention> create(KernelContext& context, const AttentionOptions& options);

    /// Heads of a kv head that share each read of a page in one workgroup.
    static uint32_t headsPerWorkgroup(uint32_t groupSize);
    static uint64_t partialBytes(uint32_t rowCount, uint32_t headCount, uint32_t headDim, uint32_t splitCount);

    /// One dispatch, or where a row has several splits two with a barrier between them. splitCount:
    /// of the row with the most positions.
    void record(vk::Recorder& recorder, uint32_t tokenCount, uint32_t splitCount) const;

private:
    Attention(const AttentionOptions& options, vk::BindingSet splitSet, vk::BindingSet mergeSet)
        : m_options(options)
        , m_splitSet(std::move(splitSet))
        , m_mergeSet(std::move(mergeSet))
    {
    }

    AttentionOptions m_options;
    uint32_t m_headsPerGroup = 1; ///< heads of a kv head that one workgroup takes
    const vk::ComputePipeline* m_split = nullptr;
    const vk::ComputePipeline* m_merge = nullptr;
    vk::BindingSet m_splitSet;
    vk::BindingSet m_mergeSet;
};

} // namespace engine
