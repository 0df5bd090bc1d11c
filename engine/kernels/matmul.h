#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/weight_product.h"

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
    Matmul(const MatmulOptions& options, WeightProduct product)
        : m_options(options)
        , m_product(std::move(product))
    {
    }

    MatmulOptions m_options;
    WeightProduct m_product;
};

} // namespace engine
