#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/kernels/repack_weights.h"
#include "engine/kernels/weight_packer.h"
#include "engine/model/device_weights.h"

#include <functional>
#include <optional>

namespace engine {

/// Bytes read of all; false stops the loading.
using LoadProgress = std::function<bool(uint64_t done, uint64_t total)>;

/// Where the rows of a file are packed for the kernels.
enum class WeightPacking { OnHost, OnDevice };

/// On the host where the device is software, else on the device; TOKENGLASS_PACKING (host, device)
/// in the environment wins.
WeightPacking choosePacking(const vk::Device& device);

/// Fills the matrices of a model from its file, in layer order. Two staging buffers at most, a
/// small share of the weights. Inference thread. Errors: Io, OutOfMemory, DeviceLost; Cancelled
/// when progress says so.
class WeightReader {
public:
    static Result<WeightReader> create(
        KernelContext& context, const GgufFile& file, WeightPacking packing);

    Result<void> read(const DeviceWeights& weights, const ModelTensors& tensors,
        const ModelConfig& config, const LoadProgress& progress);

private:
    explicit WeightReader(const GgufFile& file)
        : m_file(&file)
    {
    }

    const GgufFile* m_file;
    std::optional<WeightPacker> m_packer; ///< one of the two
    std::optional<RepackWeights> m_repack;
};

} // namespace engine
