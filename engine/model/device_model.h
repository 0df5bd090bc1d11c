#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/kernels/kernel_context.h"
#include "engine/model/device_weights.h"
#include "engine/model/forward_pass.h"
#include "engine/model/pass_buffers.h"
#include "engine/model/weight_reader.h"
#include "engine/vulkan/pipeline_cache.h"

#include <memory>
#include <string>

namespace engine {

struct DeviceModelOptions {
    /// Positions of a sequence; 0: the smaller of what the model was trained for and what fits.
    uint32_t contextLength = 0;
    uint32_t sequenceCount = 1;
    uint32_t sideCount = 0; ///< further sequences, which share the pages of those
    LoadProgress progress; ///< of the weights
    std::function<bool()> cancelled; ///< asked while kernels are made
};

/// One model on one device: configuration, weights, the KV cache's room and the forward pass.
/// Errors: those of ModelConfig and ModelTensors, OutOfMemory with the bytes needed, Cancelled.
class DeviceModel {
public:
    /// Rows of a prefill chunk at most.
    static constexpr uint32_t kChunkRows = 64;
    /// Scored rows of a pass at most.
    static constexpr uint32_t kScoredRows = 8;

    static Result<std::unique_ptr<DeviceModel>> create(
        vk::Device& device, const GgufFile& file, const DeviceModelOptions& options);
    ~DeviceModel();

    const ModelConfig& config() const { return m_config; }
    uint32_t contextLength() const { return m_buffers->options.contextLength; }
    uint32_t pageCount() const { return m_buffers->options.pageCount; }
    uint64_t weightBytes() const { return m_weights->matrixBytes(); }
    uint64_t kvBytes() const { return PassBuffers::kvBytes(m_config, pageCount()); }
    const DeviceWeights& weights() const { return *m_weights; }
    PassBuffers& buffers() { return *m_buffers; }
    ForwardPass& forward() { return *m_forward; }
    vk::Device& device() { return m_device; }
    KernelContext& kernels() { return *m_context; }

    /// Measures every pass into the log from now on; null: no longer. The log must outlive that.
    void setTrace(TraceLog* log);

private:
    Result<void> load(const GgufFile& file, const DeviceModelOptions& options);
    DeviceModel(vk::Device& device, const ModelConfig& config)
        : m_device(device)
        , m_config(config)
    {
    }

    vk::Device& m_device;
    ModelConfig m_config;
    std::unique_ptr<vk::PipelineCache> m_cache;
    std::unique_ptr<KernelContext> m_context;
    std::unique_ptr<DeviceWeights> m_weights;
    std::unique_ptr<PassBuffers> m_buffers;
    std::unique_ptr<PassTrace> m_trace;
    std::unique_ptr<ForwardPass> m_forward;
};

} // namespace engine
