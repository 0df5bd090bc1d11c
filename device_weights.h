#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/kernels/activations.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/model/model_config.h"
#include "engine/model/model_tensors.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine {

/// Matrices whose rows follow each other in one output: as few as the tensor types allow.
struct StackedMatrix {
    struct Part {
        WeightMatrix weights;
        std::optional<Activations> bias; ///< [1, padded rows]
        uint32_t yOffset = 0; ///< columns of the output
    };
    std::vector<Part> parts;
    std::vector<uint32_t> tensorOffsets; ///< first output column of each tensor
    uint32_t outputColumns = 0; ///< padded
};

/// The weights of one layer on the device.
struct LayerWeights {
    Activations attentionNorm; ///< [1, embeddingLength]
    StackedMatrix queryKeyValue; ///< [q, k, v; embeddingLength]
    std::optional<Activations> queryKeyNorm; ///< [1, 2 * headDim]
    WeightMatrix attentionOutput; ///< [embeddingLength, queryLength]
    std::optional<Activations> attentionPostNorm;
    Activations feedForwardNorm;
    StackedMatrix gateUp; ///< [gate, up; embeddingLength]
    WeightMatrix down; ///< [embeddingLength, feedForwardLength]
    std::optional<Activations> feedForwardPostNorm;
};

/// All weights of a model on a device, laid out for the kernels. Errors: Io, Unsupported,
/// OutOfMemory, each naming the tensor.
struct DeviceWeights {
    /// Vectors are read at once; matrices have their room and are filled by WeightReader.
    static Result<std::unique_ptr<DeviceWeights>> create(
        vk::Device& device, const GgufFile& file, const ModelTensors& tensors);

    const WeightMatrix& output() const { return separateOutput ? *separateOutput : tokenEmbedding; }
    uint64_t matrixBytes() const; ///< on the device

    WeightMatrix tokenEmbedding; ///< [vocabularySize, embeddingLength]
    std::vector<LayerWeights> layers;
    Activations outputNorm;
    std::optional<WeightMatrix> separateOutput; ///< none when tied to the embedding
};

} // namespace engine
