#pragma once

#include "engine/gguf/gguf_writer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace app {

/// Tensor types by role, as a kind of file has them. Of value and down, some layers have more bits.
struct SyntheticTypes {
    engine::TensorType embedding;
    engine::TensorType queryAndKey;
    engine::TensorType value;
    engine::TensorType valueWithMoreBits;
    engine::TensorType attentionOutput;
    engine::TensorType gateAndUp;
    engine::TensorType down;
    engine::TensorType downWithMoreBits;
    std::optional<engine::TensorType> separateOutput; ///< none: tied to the embedding
};

/// The shape of a model: a row of the only table of synthetic models.
struct SyntheticShape {
    const char* name; ///< as --synthetic takes it
    const char* likeness; ///< whose shape and types it has
    const char* architecture;
    uint32_t layerCount;
    uint32_t embeddingLength;
    uint32_t feedForwardLength;
    uint32_t headCount;
    uint32_t kvHeadCount;
    uint32_t headDim;
    uint32_t vocabularySize; ///< at least 300
    uint32_t contextLength;
    float ropeBase;
    SyntheticTypes types;
};

std::span<const SyntheticShape> syntheticShapes();
const SyntheticShape* findSyntheticShape(std::string_view name);

/// The tensors of a model of this shape, in the order of its file.
std::vector<engine::TensorPlan> syntheticTensors(const SyntheticShape& shape);

/// Writes a model of this shape with random weights, the same ones each time, scaled so that every
/// layer keeps its numbers near 1, and a made-up byte-level vocabulary. Errors: those of
/// GgufWriter; Cancelled when `cancelled` says so.
engine::Result<void> writeSyntheticModel(const SyntheticShape& shape,
    const std::filesystem::path& path, const std::function<bool()>& cancelled);

/// A synthetic model's file in the cache folder (${XDG_CACHE_HOME:-~/.cache}/tokenglass), removed
/// when this goes.
class SyntheticModelFile {
public:
    static engine::Result<std::unique_ptr<SyntheticModelFile>> create(
        const SyntheticShape& shape, const std::function<bool()>& cancelled);
    ~SyntheticModelFile();
    SyntheticModelFile(const SyntheticModelFile&) = delete;
    SyntheticModelFile& operator=(const SyntheticModelFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit SyntheticModelFile(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }

    std::filesystem::path m_path;
};

} // namespace app
