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
        TRY_ASSIGN(ReferenceLayer read, ReferenceLayer::create(file, layer));
        model.m_layers.push_back(std::move(read));
    }
    return model;
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
        m_layers[index].apply(x, { m_config, index, m_ropeFactors });
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

} // namespace engine
