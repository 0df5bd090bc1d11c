#pragma once

#include "engine/model/architecture_traits.h"
#include "engine/reference/matrix.h"

#include <cstdint>
#include <span>

namespace engine {

/// Divides x by its root mean square and scales it by weight, in place. x, weight: [n].
/// Source: Zhang & Sennrich 2019 (RMSNorm).
void rmsNorm(std::span<float> x, std::span<const float> weight, float epsilon);

/// rmsNorm of each row.
Matrix rmsNormRows(const Matrix& x, std::span<const float> weight, float epsilon);

/// rmsNorm of each head of each row, in place. x: [tokens, heads * headDim]; weight: [headDim].
void rmsNormHeads(Matrix& x, std::span<const float> weight, float epsilon);

/// Adds a bias to each row, in place.
void addBias(Matrix& x, std::span<const float> bias);

/// x += y.
void add(Matrix& x, const Matrix& y);

/// Rotates the pairs of each head by position * frequency, in place. x: [tokens, heads * headDim],
/// row t at position firstPosition + t; frequencies: [headDim / 2], in radians. Source: Su et al.
/// 2021 (RoFormer).
void rope(Matrix& x, std::span<const double> frequencies, RopePairing pairing,
    uint32_t firstPosition = 0);

/// Turns scores into weights that add to one, in place.
void softmax(std::span<float> scores);

struct AttentionInputs {
    const Matrix& query; ///< [tokens, headCount * headDim], already rotated
    const Matrix& key; ///< [positions, kvHeadCount * headDim], already rotated
    const Matrix& value; ///< [positions, kvHeadCount * headDim]
    uint32_t headCount = 0;
    uint32_t kvHeadCount = 0; ///< head h reads kv head h / (headCount / kvHeadCount)
    float scale = 1.0f; ///< factor on q·k
    uint32_t window = 0; ///< positions seen, the token's own included; 0: all before it
};

/// Causal attention: the last token of query stands at the last position of key. Result: shape of
/// query. Source: Vaswani et al. 2017; grouped heads: Ainslie et al. 2023; windows: Beltagy et al.
/// 2020.
Matrix attention(const AttentionInputs& inputs);

/// activation(gate) * up, element by element. Source: Shazeer 2020 (GLU variants).
Matrix gated(Activation activation, const Matrix& gate, const Matrix& up);

float silu(float x);
float geluTanh(float x);

} // namespace engine
