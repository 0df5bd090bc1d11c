#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/batch_rows.h"
#include "engine/kernels/kv_pages.h"
#include "engine/kernels/rope_store.h"
#include "engine/model/device_weights.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace engine {

struct PassBufferOptions {
    uint32_t rowCount = 0; ///< most rows of a pass
    uint32_t scoredRowCount = 0; ///< most rows whose scores a pass gives
    uint32_t contextLength = 0; ///< most positions of a sequence
    uint32_t sequenceCount = 0;
    uint32_t pageCount = 0; ///< of the KV cache
};

/// Everything a pass writes: activations between operations, the KV cache, scores. Errors:
/// OutOfMemory naming the buffer.
struct PassBuffers {
    static Result<std::unique_ptr<PassBuffers>> create(vk::Device& device, const ModelConfig& config,
        const DeviceWeights& weights, std::span<const float> ropeFactors, const PassBufferOptions& options);

    /// Bytes of the KV cache for so many pages.
    static uint64_t kvBytes(const ModelConfig& config, uint32_t pageCount);
    const RotationTable& rotationOf(const ModelConfig& config, uint32_t layer) const
    {
        return config.isLocalLayer(layer) && localRotation ? *localRotation : globalRotation;
    }

    PassBufferOptions options;
    uint32_t splitCount; ///< of contextLength
    BatchRows rows;
    RotationTable globalRotation;
    std::optional<RotationTable> localRotation; ///< of layers with a window
    Activations residual; ///< [rows, embeddingLength]: x of the papers
    Activations normed; ///< [rows, embeddingLength]
    Activations scaled; ///< [rows, embeddingLength]: residual times the weight of the next norm
    Activations squares; ///< [rows, partial sums]: of the residual's squares
    Activations branch; ///< [rows, embeddingLength]: what is normed before it is added (post-norms)
    Activations queryKeyValue; ///< [rows, q, k, v]
    Activations query; ///< [rows, queryLength], rotated
    Activations attended; ///< [rows, queryLength]
    Activations gateUp; ///< [rows, gate, up], only where they cannot be fused
    Activations hidden; ///< [rows, feedForwardLength]
    Activations scoredNormed; ///< [scored rows, embeddingLength]
    Activations logits; ///< [scored rows, vocabularySize]
    vk::Buffer partial; ///< Attention::partialBytes
    vk::TexelView partialFloats;
    vk::Buffer logitsReadback;
    std::vector<KvPages> pages; ///< of each layer
};

} // namespace engine
