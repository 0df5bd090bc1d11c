#include "engine/reference/operations.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace engine {

void rmsNorm(std::span<float> x, std::span<const float> weight, float epsilon)
{
    assert(x.size() == weight.size());
    double squares = 0.0;
    for (const float value : x)
        squares += double(value) * value;
    const float factor = 1.0f / std::sqrt(float(squares / double(x.size())) + epsilon);
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = x[i] * factor * weight[i];
}

Matrix rmsNormRows(const Matrix& x, std::span<const float> weight, float epsilon)
{
    Matrix y = x;
    for (size_t t = 0; t < y.rows; ++t)
        rmsNorm(y.row(t), weight, epsilon);
    return y;
}

void rmsNormHeads(Matrix& x, std::span<const float> weight, float epsilon)
{
    const size_t headDim = weight.size();
    for (size_t start = 0; start < x.values.size(); start += headDim)
        rmsNorm(std::span(x.values).subspan(start, headDim), weight, epsilon);
}

void addBias(Matrix& x, std::span<const float> bias)
{
    assert(bias.size() == x.columns);
    for (size_t t = 0; t < x.rows; ++t)
        for (size_t i = 0; i < x.columns; ++i)
            x.row(t)[i] += bias[i];
}

void add(Matrix& x, const Matrix& y)
{
    assert(x.values.size() == y.values.size());
    for (size_t i = 0; i < x.values.size(); ++i)
        x.values[i] += y.values[i];
}

void rope(
    Matrix& x, std::span<const double> frequencies, RopePairing pairing, uint32_t firstPosition)
{
    const size_t pairCount = frequencies.size();
    const bool interleaved = pairing == RopePairing::Interleaved;
    for (size_t t = 0; t < x.rows; ++t)
        for (size_t i = 0; i < pairCount; ++i) {
            const double angle = double(firstPosition + t) * frequencies[i];
            const float cosine = float(std::cos(angle));
            const float sine = float(std::sin(angle));
            for (size_t head = 0; head < x.columns; head += 2 * pairCount) {
                float& a = x.row(t)[head + (interleaved ? 2 * i : i)];
                float& b = x.row(t)[head + (interleaved ? 2 * i + 1 : i + pairCount)];
                const float rotatedA = a * cosine - b * sine;
                b = a * sine + b * cosine;
                a = rotatedA;
            }
        }
}

void softmax(std::span<float> scores)
{
    const float largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0.0;
    for (float& score : scores) {
        score = std::exp(score - largest);
        sum += score;
    }
    for (float& score : scores)
        score = float(score / sum);
}

Matrix attention(const AttentionInputs& o)
{
    const size_t headDim = o.query.columns / o.headCount;
    const size_t headsPerKvHead = o.headCount / o.kvHeadCount;
    const size_t firstPosition = o.key.rows - o.query.rows;
    Matrix out(o.query.rows, o.query.columns);
    std::vector<float> scores;
    for (size_t t = 0; t < o.query.rows; ++t)
        for (size_t head = 0; head < o.headCount; ++head) {
            const size_t kvStart = head / headsPerKvHead * headDim;
            const auto query = o.query.row(t).subspan(head * headDim, headDim);
            const size_t end = firstPosition + t + 1; // causal: nothing after the token itself
            const size_t begin = o.window > 0 && end > o.window ? end - o.window : 0;
            scores.assign(end - begin, 0.0f);
            for (size_t p = begin; p < end; ++p) {
                const auto key = o.key.row(p).subspan(kvStart, headDim);
                for (size_t i = 0; i < headDim; ++i)
                    scores[p - begin] += query[i] * key[i];
                scores[p - begin] *= o.scale;
            }
            softmax(scores);
            const auto result = out.row(t).subspan(head * headDim, headDim);
            for (size_t p = begin; p < end; ++p) {
                const auto value = o.value.row(p).subspan(kvStart, headDim);
                for (size_t i = 0; i < headDim; ++i)
                    result[i] += scores[p - begin] * value[i];
            }
        }
    return out;
}

float silu(float x) { return x / (1.0f + std::exp(-x)); }

float geluTanh(float x)
{
    const float kRoot = std::sqrt(2.0f / std::numbers::pi_v<float>);
    return 0.5f * x * (1.0f + std::tanh(kRoot * (x + 0.044715f * x * x * x)));
}

Matrix gated(Activation activation, const Matrix& gate, const Matrix& up)
{
    assert(gate.values.size() == up.values.size());
    Matrix out = up;
    for (size_t i = 0; i < out.values.size(); ++i)
        out.values[i]
            *= activation == Activation::Silu ? silu(gate.values[i]) : geluTanh(gate.values[i]);
    return out;
}

} // namespace engine
