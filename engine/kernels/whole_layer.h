#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/kernels/kv_pages.h"
#include "engine/kernels/meeting.h"
#include "engine/kernels/residual_start.h"
#include "engine/kernels/rope_store.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/vulkan/recorder.h"

#include <vector>

namespace engine {

/// A product whose rows are stored from this column on.
struct LayerProduct {
    const WeightMatrix& weights;
    uint32_t yOffset = 0;
    const Activations* bias = nullptr; ///< [1, padded rows]
};

/// What one layer is made of, in the shapes that the kernels of its single operations have.
struct WholeLayerOptions {
    const Meeting& meeting;
    std::vector<LayerProduct> queryKeyValue; ///< 1 or 2
    const WeightMatrix& attentionOutput;
    const WeightMatrix& gateUp; ///< two parts stacked: gate, up
    const WeightMatrix& down;
    const Activations* queryKeyNorm = nullptr;
    const Activations& attentionNorm; ///< weights [1, embeddingLength]
    const Activations& feedForwardNorm;
    const Activations* attentionPostNorm = nullptr; ///< both or neither
    const Activations* feedForwardPostNorm = nullptr;
    const Activations& nextNorm; ///< of the next layer, or the output norm
    const BatchRows& rows;
    const RotationTable& rotation;
    const KvPages& pages;
    const Activations& residual;
    const Activations& normed; ///< read by the products; residual * weight of the next norm without post-norms
    const Activations& squares;
    const Activations& branch;
    const Activations& qkv;
    const Activations& q;
    const Activations& attended;
    const Activations& hidden;
    const vk::Buffer& partial;
    const vk::TexelView& partialFloats;
    uint32_t headCount = 0;
    uint32_t kOffset = 0; ///< columns of qkv
    uint32_t vOffset = 0;
    uint32_t splitCount = 0; ///< room for splits in partial
    uint32_t squaresCount = 0; ///< MatmulResidual::squaresCount
    uint32_t window = 0;
    float scale = 1.0f;
    float epsilon = 0.0f;
    bool gelu = false;
};

/// All operations of one layer of a decode step in one dispatch, where workgroups meet: bit for bit what MatmulNormed (or RmsNorm and
/// Matmul), RopeStore, Attention, MatmulResidual and GateUpNormed (or their plain forms) give one after the other.
class WholeLayer {
public:
    /// Whether these weights can run so: each matrix in one slab, q, k and v of at most two types, gate and up of one.
    static bool canRun(const WholeLayerOptions& options);
    /// The shader with its constants: the largest of a model, worth starting before its other kernels are made.
    static vk::PipelineOptions pipelineOf(const KernelContext& context, const WholeLayerOptions& options);
    static Result<WholeLayer> create(KernelContext& context, const WholeLayerOptions& options);

    /// Whether a decode step with so many splits stays within the rounds of loops that the device allows a
    /// workgroup.
    bool fits(uint32_t splitCount) const;
    /// Of one row: a prompt's operations are long enough to be dispatches of their own.
    void record(vk::Recorder& recorder) const;

private:
    WholeLayer(const WholeLayerOptions& options, const vk::ComputePipeline& pipeline, vk::BindingSet set)
        : m_options(options)
        , m_pipeline(&pipeline)
        , m_set(std::move(set))
    {
    }

    WholeLayerOptions m_options;
    const vk::ComputePipeline* m_pipeline;
    vk::BindingSet m_set;
    uint32_t m_productRounds = 0; ///< of a workgroup in all products
    uint32_t m_headTiles = 0;
    uint32_t m_lanes = 0;
};

} // namespace engine
