#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/architecture_traits.h"

#include <cstdint>

namespace engine {

/// Rotary position embedding of one layer. The angle of pair i at position p is
/// p * positionScale / factor[i] * base^(-2i / headDim); factors: rope_freqs.weight, else 1.
struct RopeSettings {
    float base = 10'000.0f;
    float positionScale = 1.0f; ///< 1 / factor of linear scaling
    bool frequencyFactors = false;

    bool operator==(const RopeSettings&) const = default;
};

/// All hyperparameters of a model, checked: every divisor is at least 1, every product fits 32
/// bits. Errors: BadFile and Unsupported, each naming the file and the key or tensor. Any thread.
/// Source: GGUF keys `general.architecture`, `<architecture>.*`; the row of architecture_traits.h.
struct ModelConfig {
    static Result<ModelConfig> create(const GgufFile& file);

    const ArchitectureTraits* traits = nullptr; ///< a row of the table, never null after create
    uint32_t layerCount = 0;
    uint32_t embeddingLength = 0;
    uint32_t feedForwardLength = 0;
    uint32_t headCount = 0;
    uint32_t kvHeadCount = 0; ///< divides headCount
    uint32_t headDim = 0; ///< even; of q, k and v alike
    uint32_t vocabularySize = 0; ///< rows of token_embd.weight
    uint32_t contextLength = 0; ///< what the model was trained for
    float rmsNormEpsilon = 0.0f;
    float embeddingScale = 1.0f;
    float attentionScale = 1.0f; ///< factor on q·k
    RopeSettings globalRope;
    RopeSettings localRope; ///< of layers with a window
    uint32_t slidingWindow
        = 0; ///< positions a local layer sees, its own included; 0: no local layers
    uint32_t slidingWindowPattern = 0; ///< every n-th layer is global
    bool tiedOutput = false; ///< no output.weight: token_embd.weight scores the tokens too

    uint32_t queryLength() const { return headCount * headDim; }
    uint32_t kvLength() const { return kvHeadCount * headDim; }
    bool isLocalLayer(uint32_t layer) const
    {
        return slidingWindow > 0 && (layer + 1) % slidingWindowPattern != 0;
    }
    /// Window of this layer in positions, 0: the whole context.
    uint32_t windowOf(uint32_t layer) const { return isLocalLayer(layer) ? slidingWindow : 0; }
    const RopeSettings& ropeOf(uint32_t layer) const
    {
        return isLocalLayer(layer) ? localRope : globalRope;
    }

    bool operator==(const ModelConfig&) const = default;
};

} // namespace engine
