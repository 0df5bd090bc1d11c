#include "engine/reference/reference_layer.h"

#include "engine/model/rope_frequencies.h"
#include "engine/reference/operations.h"

namespace engine {

Result<ReferenceLayer> ReferenceLayer::create(const GgufFile& file, const LayerTensors& tensors)
{
    const auto optionalVector = [&file](const TensorInfo* tensor) -> Result<std::vector<float>> {
        if (!tensor)
            return std::vector<float>();
        return readVector(file, *tensor);
    };
    TRY_ASSIGN(std::vector<float> attentionNorm, readVector(file, *tensors.attentionNorm));
    TRY_ASSIGN(Weight query, Weight::create(file, *tensors.query));
    TRY_ASSIGN(Weight key, Weight::create(file, *tensors.key));
    TRY_ASSIGN(Weight value, Weight::create(file, *tensors.value));
    TRY_ASSIGN(std::vector<float> queryBias, optionalVector(tensors.queryBias));
    TRY_ASSIGN(std::vector<float> keyBias, optionalVector(tensors.keyBias));
    TRY_ASSIGN(std::vector<float> valueBias, optionalVector(tensors.valueBias));
    TRY_ASSIGN(std::vector<float> queryNorm, optionalVector(tensors.queryNorm));
    TRY_ASSIGN(std::vector<float> keyNorm, optionalVector(tensors.keyNorm));
    TRY_ASSIGN(Weight attentionOutput, Weight::create(file, *tensors.attentionOutput));
    TRY_ASSIGN(std::vector<float> attentionPostNorm, optionalVector(tensors.attentionPostNorm));
    TRY_ASSIGN(std::vector<float> feedForwardNorm, readVector(file, *tensors.feedForwardNorm));
    TRY_ASSIGN(Weight gate, Weight::create(file, *tensors.gate));
    TRY_ASSIGN(Weight up, Weight::create(file, *tensors.up));
    TRY_ASSIGN(Weight down, Weight::create(file, *tensors.down));
    TRY_ASSIGN(std::vector<float> feedForwardPostNorm, optionalVector(tensors.feedForwardPostNorm));
    return ReferenceLayer(Weights { .attentionNorm = std::move(attentionNorm),
        .query = std::move(query),
        .key = std::move(key),
        .value = std::move(value),
        .queryBias = std::move(queryBias),
        .keyBias = std::move(keyBias),
        .valueBias = std::move(valueBias),
        .queryNorm = std::move(queryNorm),
        .keyNorm = std::move(keyNorm),
        .attentionOutput = std::move(attentionOutput),
        .attentionPostNorm = std::move(attentionPostNorm),
        .feedForwardNorm = std::move(feedForwardNorm),
        .gate = std::move(gate),
        .up = std::move(up),
        .down = std::move(down),
        .feedForwardPostNorm = std::move(feedForwardPostNorm) });
}

void ReferenceLayer::apply(Matrix& x, const Place& place) const
{
    add(x, attentionOf(x, place));
    add(x, feedForwardOf(x, place.config));
}

Matrix ReferenceLayer::attentionOf(const Matrix& x, const Place& place) const
{
    const ModelConfig& config = place.config;
    const ArchitectureTraits& traits = *config.traits;
    const Matrix h = rmsNormRows(x, m_weights.attentionNorm, config.rmsNormEpsilon);
    Matrix query = matmul(m_weights.query, h);
    Matrix key = matmul(m_weights.key, h);
    Matrix value = matmul(m_weights.value, h);
    if (traits.queryKeyValueBiases) {
        addBias(query, m_weights.queryBias);
        addBias(key, m_weights.keyBias);
        addBias(value, m_weights.valueBias);
    }
    if (traits.queryKeyNorms) {
        rmsNormHeads(query, m_weights.queryNorm, config.rmsNormEpsilon);
        rmsNormHeads(key, m_weights.keyNorm, config.rmsNormEpsilon);
    }
    const auto frequencies
        = ropeFrequencies(config.ropeOf(place.index), config.headDim, place.ropeFactors);
    rope(query, frequencies, traits.ropePairing);
    rope(key, frequencies, traits.ropePairing);
    const Matrix mixed = attention({ .query = query,
        .key = key,
        .value = value,
        .headCount = config.headCount,
        .kvHeadCount = config.kvHeadCount,
        .scale = config.attentionScale,
        .window = config.windowOf(place.index) });
    const Matrix out = matmul(m_weights.attentionOutput, mixed);
    return traits.postNorms ? rmsNormRows(out, m_weights.attentionPostNorm, config.rmsNormEpsilon)
                            : out;
}

Matrix ReferenceLayer::feedForwardOf(const Matrix& x, const ModelConfig& config) const
{
    const ArchitectureTraits& traits = *config.traits;
    const Matrix h = rmsNormRows(x, m_weights.feedForwardNorm, config.rmsNormEpsilon);
    const Matrix inner = gated(traits.activation, matmul(m_weights.gate, h), matmul(m_weights.up, h));
    const Matrix out = matmul(m_weights.down, inner);
    return traits.postNorms ? rmsNormRows(out, m_weights.feedForwardPostNorm, config.rmsNormEpsilon)
                            : out;
}

} // namespace engine
