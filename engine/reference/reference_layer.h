#pragma once

#include "engine/model/model_config.h"
#include "engine/model/model_tensors.h"
#include "engine/reference/matrix.h"
#include "engine/reference/weight.h"

#include <span>
#include <vector>

namespace engine {

/// One layer of a model on the CPU, in plain float32 code that reads like the paper. Weights stay
/// quantised in memory. Errors of create: Io, Unsupported.
class ReferenceLayer {
public:
    static Result<ReferenceLayer> create(const GgufFile& file, const LayerTensors& tensors);

    /// What a layer needs to know besides its weights.
    struct Place {
        const ModelConfig& config;
        uint32_t index = 0;
        std::span<const float> ropeFactors; ///< empty when the model has none
    };
    /// x += attention(norm(x)); x += feedForward(norm(x)). x: [tokens, embeddingLength], the first
    /// at position 0.
    void apply(Matrix& x, const Place& place) const;

private:
    struct Weights {
        std::vector<float> attentionNorm;
        Weight query;
        Weight key;
        Weight value;
        std::vector<float> queryBias; ///< this and the other optional vectors are empty when absent
        std::vector<float> keyBias;
        std::vector<float> valueBias;
        std::vector<float> queryNorm;
        std::vector<float> keyNorm;
        Weight attentionOutput;
        std::vector<float> attentionPostNorm;
        std::vector<float> feedForwardNorm;
        Weight gate;
        Weight up;
        Weight down;
        std::vector<float> feedForwardPostNorm;
    };

    explicit ReferenceLayer(Weights weights)
        : m_weights(std::move(weights))
    {
    }
    Matrix attentionOf(const Matrix& x, const Place& place) const;
    Matrix feedForwardOf(const Matrix& x, const ModelConfig& config) const;

    Weights m_weights;
};

} // namespace engine
