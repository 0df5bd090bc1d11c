#include "engine/model/device_weights.h"

#include <algorithm>

namespace engine {

namespace {
    uint64_t bytesOf(const GgufFile& file)
    {
        uint64_t bytes = 0;
        for (const TensorInfo& tensor : file.tensors())
            bytes += tensor.bytes;
        return bytes;
    }

    /// Two staging buffers of this size stay a small share of the weights, also of a small model's.
    uint64_t stagingBytesFor(uint64_t weightBytes)
    {
        return std::clamp<uint64_t>(weightBytes / 32, 4096, vk::Uploader::kStagingBytes);
    }

    /// Reads tensors of one file onto one device and counts the bytes.
    class TensorLoader {
    public:
        TensorLoader(vk::Device& device, const GgufFile& file, const LoadProgress& progress)
            : m_device(device)
            , m_file(file)
            , m_progress(progress)
            , m_totalBytes(bytesOf(file))
            , m_uploader(device, stagingBytesFor(m_totalBytes))
        {
        }

        Result<WeightMatrix> matrix(const std::vector<const TensorInfo*>& tensors, uint32_t interleavedHeadDim,
            size_t interleavedCount)
        {
            WeightMatrixOptions options;
            options.type = tensors.front()->type;
            options.columns = tensors.front()->columns();
            options.purpose = tensors.front()->name;
            for (size_t i = 0; i < tensors.size(); ++i)
                options.parts.push_back({ tensors[i]->rows(), reader(*tensors[i]),
                    i < interleavedCount ? interleavedHeadDim : 0 });
            options.uploader = &m_uploader;
            options.progress = [this](uint64_t bytes) { return count(bytes); };
            return WeightMatrix::create(m_device, options);
        }
        Result<WeightMatrix> matrix(const TensorInfo& tensor) { return matrix({ &tensor }, 0, 0); }

        /// Norm weights and biases: F32 in every file that is not refused.
        Result<std::vector<float>> numbers(const TensorInfo& tensor)
        {
            if (tensor.type != TensorType::F32)
                return Error::unsupported(m_file.path().string() + ": tensor " + tensor.name + " has type "
                    + tensorTypeInfo(tensor.type).name + ", and vectors must be F32.");
            std::vector<float> values(tensor.bytes / sizeof(float));
            TRY(m_file.read(tensor.fileOffset, std::as_writable_bytes(std::span(values))));
            if (!count(tensor.bytes))
                return Error::cancelled("Loading was stopped.");
            return values;
        }
        Result<Activations> row(const TensorInfo& tensor)
        {
            TRY_ASSIGN(const std::vector<float> values, numbers(tensor));
            return uploadRow(m_device, values, tensor.name);
        }
        Result<std::optional<Activations>> optionalRow(const TensorInfo* tensor)
        {
            if (!tensor)
                return std::optional<Activations>();
            TRY_ASSIGN(Activations values, row(*tensor));
            return std::optional<Activations>(std::move(values));
        }

        /// interleavedCount: how many of the tensors, from the first, are reordered for RoPE.
        Result<StackedMatrix> stack(const std::vector<const TensorInfo*>& tensors,
            const std::vector<const TensorInfo*>& biases, uint32_t interleavedHeadDim, size_t interleavedCount)
        {
            StackedMatrix stacked;
            for (size_t first = 0; first < tensors.size();) {
                size_t end = first + 1;
                while (end < tensors.size() && tensors[end]->type == tensors[first]->type)
                    ++end;
                const std::vector<const TensorInfo*> same(tensors.begin() + first, tensors.begin() + end);
                TRY_ASSIGN(WeightMatrix weights,
                    matrix(same, interleavedHeadDim, interleavedCount > first ? interleavedCount - first : 0));
                StackedMatrix::Part part { std::move(weights), std::nullopt, stacked.outputColumns };
                for (size_t i = 0; i < same.size(); ++i)
                    stacked.tensorOffsets.push_back(part.yOffset + part.weights.partOffset(i));
                TRY(addBias(part, biases, first, end));
                stacked.outputColumns += part.weights.paddedRows();
                stacked.parts.push_back(std::move(part));
                first = end;
            }
            return stacked;
        }

        vk::Device& device() const { return m_device; }

    private:
        RowReader reader(const TensorInfo& tensor)
        {
            const uint64_t rowBytes = tensor.bytes / tensor.rows();
            return [this, &tensor, rowBytes](uint64_t firstRow, std::span<std::byte> bytes) {
                return m_file.read(tensor.fileOffset + firstRow * rowBytes, bytes);
            };
        }

        Result<void> addBias(StackedMatrix::Part& part, const std::vector<const TensorInfo*>& biases, size_t first,
            size_t end)
        {
            if (biases.empty() || !biases[first])
                return {};
            std::vector<float> padded(part.weights.paddedRows());
            for (size_t i = first; i < end; ++i) {
                TRY_ASSIGN(const std::vector<float> values, numbers(*biases[i]));
                std::copy(values.begin(), values.end(), padded.begin() + part.weights.partOffset(i - first));
            }
            TRY_ASSIGN(Activations bias, uploadRow(m_device, padded, biases[first]->name));
            part.bias = std::move(bias);
            return {};
        }

        bool count(uint64_t bytes)
        {
            m_doneBytes += bytes;
            return !m_progress || m_progress(m_doneBytes, m_totalBytes);
        }

        vk::Device& m_device;
        const GgufFile& m_file;
        const LoadProgress& m_progress;
        uint64_t m_doneBytes = 0;
        uint64_t m_totalBytes;
        vk::Uploader m_uploader;
    };

    Result<LayerWeights> readLayer(TensorLoader& loader, const LayerTensors& tensors, const ModelConfig& config)
    {
        TRY_ASSIGN(Activations attentionNorm, loader.row(*tensors.attentionNorm));
        const bool interleaved = config.traits->ropePairing == RopePairing::Interleaved;
        TRY_ASSIGN(StackedMatrix queryKeyValue,
            loader.stack({ tensors.query, tensors.key, tensors.value },
                { tensors.queryBias, tensors.keyBias, tensors.valueBias }, interleaved ? config.headDim : 0, 2));
        std::optional<Activations> queryKeyNorm;
        if (tensors.queryNorm) {
            TRY_ASSIGN(std::vector<float> weights, loader.numbers(*tensors.queryNorm));
            TRY_ASSIGN(const std::vector<float> keyWeights, loader.numbers(*tensors.keyNorm));
            weights.insert(weights.end(), keyWeights.begin(), keyWeights.end());
            TRY_ASSIGN(Activations both, uploadRow(loader.device(), weights, tensors.queryNorm->name));
            queryKeyNorm = std::move(both);
        }
        TRY_ASSIGN(WeightMatrix attentionOutput, loader.matrix(*tensors.attentionOutput));
        TRY_ASSIGN(std::optional<Activations> attentionPostNorm, loader.optionalRow(tensors.attentionPostNorm));
        TRY_ASSIGN(Activations feedForwardNorm, loader.row(*tensors.feedForwardNorm));
        TRY_ASSIGN(StackedMatrix gateUp, loader.stack({ tensors.gate, tensors.up }, {}, 0, 0));
        TRY_ASSIGN(WeightMatrix down, loader.matrix(*tensors.down));
        TRY_ASSIGN(std::optional<Activations> feedForwardPostNorm, loader.optionalRow(tensors.feedForwardPostNorm));
        return LayerWeights { std::move(attentionNorm), std::move(queryKeyValue), std::move(queryKeyNorm),
            std::move(attentionOutput), std::move(attentionPostNorm), std::move(feedForwardNorm), std::move(gateUp),
            std::move(down), std::move(feedForwardPostNorm) };
    }

    uint64_t bytesOf(const StackedMatrix& stacked)
    {
        uint64_t bytes = 0;
        for (const StackedMatrix::Part& part : stacked.parts)
            bytes += part.weights.deviceBytes();
        return bytes;
    }
}

Result<std::unique_ptr<DeviceWeights>> DeviceWeights::create(
    vk::Device& device, const GgufFile& file, const ModelConfig& config, const LoadProgress& progress)
{
    TRY_ASSIGN(const ModelTensors tensors, ModelTensors::create(file, config));
    TensorLoader loader(device, file, progress);
    TRY_ASSIGN(WeightMatrix tokenEmbedding, loader.matrix(*tensors.tokenEmbedding));
    std::vector<LayerWeights> layers;
    layers.reserve(tensors.layers.size());
    for (const LayerTensors& layerTensors : tensors.layers) {
        TRY_ASSIGN(LayerWeights layer, readLayer(loader, layerTensors, config));
        layers.push_back(std::move(layer));
    }
    TRY_ASSIGN(Activations outputNorm, loader.row(*tensors.outputNorm));
    std::optional<WeightMatrix> separateOutput;
    if (tensors.output != tensors.tokenEmbedding) {
        TRY_ASSIGN(WeightMatrix output, loader.matrix(*tensors.output));
        separateOutput = std::move(output);
    }
    return std::make_unique<DeviceWeights>(DeviceWeights { std::move(tokenEmbedding), std::move(layers),
        std::move(outputNorm), std::move(separateOutput) });
}

uint64_t DeviceWeights::matrixBytes() const
{
    uint64_t bytes = tokenEmbedding.deviceBytes() + (separateOutput ? separateOutput->deviceBytes() : 0);
    for (const LayerWeights& layer : layers)
        bytes += bytesOf(layer.queryKeyValue) + layer.attentionOutput.deviceBytes() + bytesOf(layer.gateUp)
            + layer.down.deviceBytes();
    return bytes;
}

} // namespace engine
