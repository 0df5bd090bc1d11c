#include "engine/reference/reference_model.h"

#include "engine/model/model_tensors.h"
#include "engine/model/rope_frequencies.h"
#include "engine/reference/operations.h"

#include <algorithm>

namespace engine {

Result<ReferenceModel> ReferenceModel::create(const GgufFile& file)
{
    TRY_ASSIGN(const ModelConfig config, ModelConfig::create(file));
    TRY_ASSIGN(const ModelTensors tensors, ModelTensors::create(file, config));
    TRY_ASSIGN(Weight tokenEmbedding, Weight::create(file, *tensors.tokenEmbedding));
    ReferenceModel model(config, std::move(tokenEmbedding));
    if (!config.tiedOutput) {
        TRY_ASSIGN(model.m_output, Weight::create(file, *tensors.output));
    }
    TRY_ASSIGN(model.m_outputNorm, readVector(file, *tensors.outputNorm));
    TRY_ASSIGN(model.m_ropeFactors, readRopeFactors(file, config));
    for (const LayerTensors& layer : tensors.layers) {
        TRY_ASSIGN(Layer read, readLayer(file, layer));
        model.m_layers.push_back(std::move(read));
    }
    return model;
}

Result<ReferenceModel::Layer> ReferenceModel::readLayer(
    const GgufFile& file, const LayerTensors& tensors)
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
    return Layer { .attentionNorm = std::move(attentionNorm),
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
        .feedForwardPostNorm = std::move(feedForwardPostNorm) };
}

Result<Matrix> ReferenceModel::forward(const TokenIds& tokens, const ForwardOptions& options) const
{
    TRY(checkTokens(tokens));
    if (options.firstScoredPosition >= tokens.size())
        return Error::badRequest("a forward pass needs at least one position to score");
    const Matrix hidden = hiddenStates(tokens, options);
    return logitsOf(hidden, options.firstScoredPosition, hidden.rows - options.firstScoredPosition);
}

Result<TokenScores> ReferenceModel::score(const TokenIds& tokens) const
{
    constexpr size_t kRowsAtOnce = 64; // 64 rows of a 262,144-token vocabulary: 64 MiB
    TRY(checkTokens(tokens));
    const Matrix hidden = hiddenStates(tokens, {});
    TokenScores scores;
    for (size_t row = 0; row < hidden.rows; row += kRowsAtOnce)
        addScores(
            scores, tokens, row, logitsOf(hidden, row, std::min(kRowsAtOnce, hidden.rows - row)));
    return scores;
}

Result<void> ReferenceModel::checkTokens(const TokenIds& tokens) const
{
    if (tokens.empty())
        return Error::badRequest("there are no token ids to score");
    if (tokens.size() > m_config.contextLength)
        return Error::contextFull(std::to_string(tokens.size())
            + " tokens do not fit the model's context of "
            + std::to_string(m_config.contextLength));
    for (const TokenId token : tokens)
        if (token < 0 || uint32_t(token) >= m_config.vocabularySize)
            return Error::badRequest("token id " + std::to_string(token)
                + " is outside the vocabulary of " + std::to_string(m_config.vocabularySize));
    return {};
}

Matrix ReferenceModel::hiddenStates(const TokenIds& tokens, const ForwardOptions& options) const
{
    Matrix x = embed(tokens);
    for (uint32_t index = 0; index < m_config.layerCount; ++index) {
        if (options.observer)
            options.observer(index, x);
        add(x, attentionOf(m_layers[index], index, x));
        add(x, feedForwardOf(m_layers[index], x));
    }
    if (options.observer)
        options.observer(m_config.layerCount, x);
    return x;
}

Matrix ReferenceModel::logitsOf(const Matrix& hidden, size_t firstRow, size_t rowCount) const
{
    Matrix scored(rowCount, hidden.columns);
    std::copy_n(hidden.row(firstRow).data(), scored.values.size(), scored.values.data());
    return matmul(m_output ? *m_output : m_tokenEmbedding,
        rmsNormRows(scored, m_outputNorm, m_config.rmsNormEpsilon));
}

Matrix ReferenceModel::embed(const TokenIds& tokens) const
{
    Matrix x(tokens.size(), m_config.embeddingLength);
    for (size_t t = 0; t < tokens.size(); ++t)
        m_tokenEmbedding.readRow(size_t(tokens[t]), x.row(t));
    for (float& value : x.values)
        value *= m_config.embeddingScale;
    return x;
}

Matrix ReferenceModel::attentionOf(const Layer& layer, uint32_t index, const Matrix& x) const
{
    const ArchitectureTraits& traits = *m_config.traits;
    const Matrix h = rmsNormRows(x, layer.attentionNorm, m_config.rmsNormEpsilon);
    Matrix query = matmul(layer.query, h);
    Matrix key = matmul(layer.key, h);
    Matrix value = matmul(layer.value, h);
    if (traits.queryKeyValueBiases) {
        addBias(query, layer.queryBias);
        addBias(key, layer.keyBias);
        addBias(value, layer.valueBias);
    }
    if (traits.queryKeyNorms) {
        rmsNormHeads(query, layer.queryNorm, m_config.rmsNormEpsilon);
        rmsNormHeads(key, layer.keyNorm, m_config.rmsNormEpsilon);
    }
    const auto frequencies
        = ropeFrequencies(m_config.ropeOf(index), m_config.headDim, m_ropeFactors);
    rope(query, frequencies, traits.ropePairing);
    rope(key, frequencies, traits.ropePairing);
    const Matrix mixed = attention({ .query = query,
        .key = key,
        .value = value,
        .headCount = m_config.headCount,
        .kvHeadCount = m_config.kvHeadCount,
        .scale = m_config.attentionScale,
        .window = m_config.windowOf(index) });
    const Matrix out = matmul(layer.attentionOutput, mixed);
    return traits.postNorms ? rmsNormRows(out, layer.attentionPostNorm, m_config.rmsNormEpsilon)
                            : out;
}

Matrix ReferenceModel::feedForwardOf(const Layer& layer, const Matrix& x) const
{
    const ArchitectureTraits& traits = *m_config.traits;
    const Matrix h = rmsNormRows(x, layer.feedForwardNorm, m_config.rmsNormEpsilon);
    const Matrix inner = gated(traits.activation, matmul(layer.gate, h), matmul(layer.up, h));
    const Matrix out = matmul(layer.down, inner);
    return traits.postNorms ? rmsNormRows(out, layer.feedForwardPostNorm, m_config.rmsNormEpsilon)
                            : out;
}

} // namespace engine
