#pragma once

#include <span>
#include <string>
#include <string_view>

namespace engine {

/// Which elements of a head RoPE rotates together.
enum class RopePairing {
    Interleaved, ///< (0, 1), (2, 3), ...: how llama files order the rows of attn_q and attn_k
    SplitHalf, ///< (0, d/2), (1, d/2 + 1), ...
};

/// The function on the gate of the feed-forward network.
enum class Activation {
    Silu, ///< x * sigmoid(x): SwiGLU
    GeluTanh, ///< the tanh form of GELU: GeGLU
};

/// One row of the only table of architectures: in what its forward pass differs from the others'.
struct ArchitectureTraits {
    const char* name; ///< GGUF `general.architecture`
    RopePairing ropePairing;
    Activation activation;
    bool queryKeyValueBiases; ///< attn_q, attn_k and attn_v have a bias
    bool queryKeyNorms; ///< RMSNorm over each head of q and k, before RoPE
    bool postNorms; ///< RMSNorm of what attention and feed-forward put out, before it is added
    bool scaledEmbeddings; ///< embeddings times sqrt(embeddingLength)
    bool ropeFrequencyFactors; ///< the file may hold rope_freqs.weight (Llama 3.1 and later)
    /// Every n-th layer sees the whole context, the others a sliding window; 0: all see it all.
    unsigned slidingWindowPattern;
    float localRopeBase; ///< RoPE base of the layers with a window
};

std::span<const ArchitectureTraits> architectureTable();

/// The row, or nullptr when this engine has none of that name.
const ArchitectureTraits* findArchitecture(std::string_view name);

/// "llama, qwen2, ...", for messages.
std::string architectureNames();

} // namespace engine
