#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/vulkan/recorder.h"

#include <array>
#include <vector>

namespace engine {

struct MatmulOptions {
    const WeightMatrix& weights; ///< [rows, columns]
    const Activations& x; ///< [tokens, columns]
    const Activations& y; ///< [tokens, at least yOffset + padded rows]
    uint32_t yOffset = 0; ///< columns
    bool adds = false; ///< to y instead of storing
    const Activations* bias = nullptr; ///< [1, padded rows]
};

/// y[t][yOffset + row] (+)= weights[row] . x[t] (+ bias[row]), sums in float32 in one order for any
/// number of tokens. Everything it borrows must outlive it.
class Matmul {
public:
    static Result<Matmul> create(KernelContext& context, const MatmulOptions& options);

    /// tokenCount rows of x, from the first. No barrier.
    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    struct Part {
        uint32_t firstRow;
        uint32_t rowCount;
        vk::BindingSet set;
        const vk::ComputePipeline* decode;
        const vk::ComputePipeline* prefill;
    };
    explicit Matmul(const MatmulOptions& options, uint32_t lanes)
        : m_options(options)
        , m_lanes(lanes)
    {
    }

    MatmulOptions m_options;
    uint32_t m_lanes;
    std::vector<Part> m_parts; ///< one for each slab
};

} // namespace engine
