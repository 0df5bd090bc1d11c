#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/weight_product.h"

namespace engine {

struct GateUpOptions {
    const WeightMatrix& weights; ///< two parts stacked: gate, up
    const Activations& x; ///< [tokens, columns]
    const Activations& y; ///< [tokens, padded rows of gate]
    bool gelu = false; ///< the tanh form of GELU instead of SiLU
};

/// y[t] = activation(gate . x[t]) * (up . x[t]), both products and the activation in one kernel.
/// Gate and up must be of one tensor type and in one slab (canFuse). Source: Shazeer 2020.
class GateUp {
public:
    static bool canFuse(const WeightMatrix& weights) { return weights.slabs().size() == 1; }
    static Result<GateUp> create(KernelContext& context, const GateUpOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    GateUp(const GateUpOptions& options, WeightProduct product)
        : m_options(options)
        , m_product(std::move(product))
    {
    }

    GateUpOptions m_options;
    WeightProduct m_product;
};

struct GatedOptions {
    const Activations& gateUp; ///< [tokens, 2 * stride of y]: gate, then up
    const Activations& y; ///< [tokens, columns]
    bool gelu = false;
};

/// y = activation(gate) * up, for files whose gate and up differ in tensor type.
class Gated {
public:
    static Result<Gated> create(KernelContext& context, const GatedOptions& options);

    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    Gated(const GatedOptions& options, uint32_t lanes, const vk::ComputePipeline& pipeline, vk::BindingSet set)
        : m_options(options)
        , m_lanes(lanes)
        , m_pipeline(&pipeline)
        , m_set(std::move(set))
    {
    }

    GatedOptions m_options;
    uint32_t m_lanes;
    const vk::ComputePipeline* m_pipeline;
    vk::BindingSet m_set;
};

} // namespace engine
