#pragma once

#include "engine/kernels/batch_rows.h"
#include "engine/kernels/residual_start.h"
#include "engine/kernels/weight_product.h"

namespace engine {

struct MatmulNormedOptions {
    const WeightMatrix& weights; ///< [rows, embeddingLength]
    const ResidualStream& stream;
    const BatchRows& rows;
    const Activations& y; ///< [tokens, at least yOffset + padded rows]
    uint32_t yOffset = 0; ///< columns
    const Activations* bias = nullptr; ///< [1, padded rows]
    bool scoredOnly = false; ///< row t of y belongs to the t-th scored row of the stream
};

/// y[t] = weights . norm(residual[t]) (+ bias): RMSNorm and product in one dispatch.
class MatmulNormed {
public:
    static Result<MatmulNormed> create(KernelContext& context, const MatmulNormedOptions& options);
    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    MatmulNormed(const MatmulNormedOptions& options, WeightProduct product)
        : m_options(options)
        , m_product(std::move(product))
    {
    }
    MatmulNormedOptions m_options;
    WeightProduct m_product;
};

struct GateUpNormedOptions {
    const WeightMatrix& weights; ///< two parts stacked in one slab: gate, up
    const ResidualStream& stream;
    const Activations& y; ///< [tokens, padded rows of gate]
    bool gelu = false;
};

/// y[t] = activation(gate . norm(residual[t])) * (up . norm(residual[t])).
class GateUpNormed {
public:
    static Result<GateUpNormed> create(KernelContext& context, const GateUpNormedOptions& options);
    void record(vk::Recorder& recorder, uint32_t tokenCount) const;

private:
    GateUpNormed(const GateUpNormedOptions& options, WeightProduct product)
        : m_options(options)
        , m_product(std::move(product))
    {
    }
    GateUpNormedOptions m_options;
    WeightProduct m_product;
};

struct MatmulResidualOptions {
    const WeightMatrix& weights; ///< [embeddingLength, columns], in one slab
    const Activations& x; ///< [tokens, columns]
    const ResidualStream& stream;
    const Activations& nextWeight; ///< [1, embeddingLength] of the norm that follows
};

/// residual[t] += weights . x[t], and what the next norm needs of the stream.
class MatmulResidual {
public:
    static Result<MatmulResidual> create(KernelContext& context, const MatmulResidualOptions& options);
    void record(vk::Recorder& recorder, uint32_t tokenCount) const;
    /// Workgroups that write partial sums of squares, for a matrix of so many rows.
    static uint32_t squaresCount(uint32_t paddedRows, uint32_t lanes);

private:
    MatmulResidual(const MatmulResidualOptions& options, WeightProduct product)
        : m_options(options)
        , m_product(std::move(product))
    {
    }
    MatmulResidualOptions m_options;
    WeightProduct m_product;
};

} // namespace engine
