#include "tests/support/tiny_llama.h"

#include <algorithm>

namespace tests {

GgufWriter tinyLlamaKeys(const std::vector<std::string>& without, const TinyLlamaShape& shape)
{
    GgufWriter writer;
    const auto wanted = [&without](const char* key) {
        return std::find(without.begin(), without.end(), key) == without.end();
    };
    const std::pair<const char*, uint32_t> numbers[] = {
        { "llama.block_count", shape.layerCount },
        { "llama.context_length", 128 },
        { "llama.embedding_length", shape.embeddingLength },
        { "llama.feed_forward_length", shape.feedForwardLength },
        { "llama.attention.head_count", shape.headCount },
        { "llama.attention.head_count_kv", shape.kvHeadCount },
    };
    if (wanted("general.architecture"))
        writer.string("general.architecture", "llama");
    for (const auto& [key, value] : numbers)
        if (wanted(key))
            writer.u32(key, value);
    if (wanted("llama.attention.layer_norm_rms_epsilon"))
        writer.f32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    return writer;
}

void addTinyLlamaTensors(GgufWriter& writer, const TinyLlamaShape& shape)
{
    const uint64_t embedding = shape.embeddingLength;
    const uint64_t kvLength = embedding / shape.headCount * shape.kvHeadCount;
    writer.f32Tensor("token_embd.weight", { embedding, shape.vocabularySize }, 0.1f);
    writer.f32Tensor("output_norm.weight", { embedding }, 1.0f);
    for (uint32_t layer = 0; layer < shape.layerCount; ++layer) {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        writer.f32Tensor(prefix + "attn_norm.weight", { embedding }, 1.0f);
        writer.f32Tensor(prefix + "attn_q.weight", { embedding, embedding }, 0.1f);
        writer.f32Tensor(prefix + "attn_k.weight", { embedding, kvLength }, 0.1f);
        writer.f32Tensor(prefix + "attn_v.weight", { embedding, kvLength }, 0.1f);
        writer.f32Tensor(prefix + "attn_output.weight", { embedding, embedding }, 0.1f);
        writer.f32Tensor(prefix + "ffn_norm.weight", { embedding }, 1.0f);
        writer.f32Tensor(prefix + "ffn_gate.weight", { embedding, shape.feedForwardLength }, 0.1f);
        writer.f32Tensor(prefix + "ffn_up.weight", { embedding, shape.feedForwardLength }, 0.1f);
        writer.f32Tensor(prefix + "ffn_down.weight", { shape.feedForwardLength, embedding }, 0.1f);
    }
}

} // namespace tests
