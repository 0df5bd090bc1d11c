#pragma once

#include "engine/base/token.h"
#include "engine/model/model_config.h"
#include "engine/reference/matrix.h"
#include "engine/reference/reference_layer.h"
#include "engine/reference/token_scores.h"
#include "engine/reference/weight.h"

#include <functional>
#include <optional>
#include <vector>

namespace engine {

/// A model on the CPU, in plain float32 code that reads like the paper: the right values that the
/// device's results are held against, not a way to chat. Weights stay quantised in memory.
/// Errors of create: those of ModelConfig and ModelTensors; Io.
class ReferenceModel {
public:
    static Result<ReferenceModel> create(const GgufFile& file);

    const ModelConfig& config() const { return m_config; }

    struct ForwardOptions {
        /// Scores are computed from this position on.
        size_t firstScoredPosition = 0;
        /// Sees the residual stream [tokens, embeddingLength] before the first layer (layer 0) and
        /// after each layer (1 ... layerCount): to find the first layer that differs.
        std::function<void(uint32_t layer, const Matrix& x)> observer;
    };

    /// One pass over all tokens, the first at position 0. Result: logits [scored positions,
    /// vocabularySize]. Errors: BadRequest for no tokens or an id outside the vocabulary.
    Result<Matrix> forward(const TokenIds& tokens, const ForwardOptions& options) const;
    Result<Matrix> forward(const TokenIds& tokens) const
    {
        return forward(tokens, ForwardOptions());
    }

    /// The scores of every position, without holding all logits at once.
    Result<TokenScores> score(const TokenIds& tokens) const;

private:
    ReferenceModel(ModelConfig config, Weight tokenEmbedding)
        : m_config(config)
        , m_tokenEmbedding(std::move(tokenEmbedding))
    {
    }
    Result<void> checkTokens(const TokenIds& tokens) const;
    Matrix embed(const TokenIds& tokens) const;
    /// The residual stream after the last layer. [tokens, embeddingLength]
    Matrix hiddenStates(const TokenIds& tokens, const ForwardOptions& options) const;
    /// logits of these rows of it. [rowCount, vocabularySize]
    Matrix logitsOf(const Matrix& hidden, size_t firstRow, size_t rowCount) const;

    ModelConfig m_config;
    Weight m_tokenEmbedding;
    std::optional<Weight> m_output; ///< none when tied to the embedding
    std::vector<float> m_outputNorm;
    std::vector<float> m_ropeFactors;
    std::vector<ReferenceLayer> m_layers;
};

} // namespace engine
