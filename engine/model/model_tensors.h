#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"

#include <vector>

namespace engine {

/// The tensors of one layer in the file, [columns, rows] as GGUF writes dimensions (columns
/// contiguous). A pointer is null when the architecture has no such tensor.
struct LayerTensors {
    const TensorInfo* attentionNorm = nullptr; ///< blk.N.attn_norm.weight [embeddingLength]
    const TensorInfo* query = nullptr; ///< blk.N.attn_q.weight [embeddingLength, queryLength]
    const TensorInfo* key = nullptr; ///< blk.N.attn_k.weight [embeddingLength, kvLength]
    const TensorInfo* value = nullptr; ///< blk.N.attn_v.weight [embeddingLength, kvLength]
    const TensorInfo* queryBias = nullptr; ///< blk.N.attn_q.bias [queryLength]
    const TensorInfo* keyBias = nullptr; ///< blk.N.attn_k.bias [kvLength]
    const TensorInfo* valueBias = nullptr; ///< blk.N.attn_v.bias [kvLength]
    const TensorInfo* queryNorm = nullptr; ///< blk.N.attn_q_norm.weight [headDim]
    const TensorInfo* keyNorm = nullptr; ///< blk.N.attn_k_norm.weight [headDim]
    const TensorInfo* attentionOutput
        = nullptr; ///< blk.N.attn_output.weight [queryLength, embeddingLength]
    const TensorInfo* attentionPostNorm
        = nullptr; ///< blk.N.post_attention_norm.weight [embeddingLength]
    const TensorInfo* feedForwardNorm = nullptr; ///< blk.N.ffn_norm.weight [embeddingLength]
    const TensorInfo* gate
        = nullptr; ///< blk.N.ffn_gate.weight [embeddingLength, feedForwardLength]
    const TensorInfo* up = nullptr; ///< blk.N.ffn_up.weight [embeddingLength, feedForwardLength]
    const TensorInfo* down
        = nullptr; ///< blk.N.ffn_down.weight [feedForwardLength, embeddingLength]
    const TensorInfo* feedForwardPostNorm
        = nullptr; ///< blk.N.post_ffw_norm.weight [embeddingLength]
};

/// Every tensor of a model, found and checked: shapes as the configuration demands, types that run,
/// and nothing in the file that is left over. Points into the GgufFile it was made from.
/// Errors: BadFile and Unsupported with file and tensor.
struct ModelTensors {
    static Result<ModelTensors> create(const GgufFile& file, const ModelConfig& config);

    const TensorInfo* tokenEmbedding
        = nullptr; ///< token_embd.weight [embeddingLength, vocabularySize]
    const TensorInfo* outputNorm = nullptr; ///< output_norm.weight [embeddingLength]
    const TensorInfo* output
        = nullptr; ///< output.weight [embeddingLength, vocabularySize], or tokenEmbedding when tied
    const TensorInfo* ropeFactors = nullptr; ///< rope_freqs.weight [headDim / 2], or null
    std::vector<LayerTensors> layers;
};

} // namespace engine
