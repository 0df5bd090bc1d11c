#include "engine/model/device_weights.h"

#include <algorithm>

namespace engine {

namespace {
    /// Makes what tensors of one file need on one device.
    class TensorLoader {
    public:
        TensorLoader(vk::Device& device, const GgufFile& file)
            : m_device(device)
            , m_file(file)
        {
        }

        Result<WeightMatrix> matrix(const std::vector<const TensorInfo*>& tensors)
        {
            WeightMatrixOptions options;
            options.type = tensors.front()->type;
            options.columns = tensors.front()->columns();
            options.purpose = tensors.front()->name;
            for (const TensorInfo* tensor : tensors)
                options.partRows.push_back(tensor->rows());
            return WeightMatrix::create(m_device, options);
        }
        Result<WeightMatrix> matrix(const TensorInfo& tensor)
        {
            return matrix(std::vector { &tensor });
        }

        /// Norm weights and biases: F32 in every file that is not refused.
        Result<std::vector<float>> numbers(const TensorInfo& tensor)
        {
            if (tensor.type != TensorType::F32)
                return Error::unsupported(m_file.path().string() + ": tensor " + tensor.name
                    + " has type " + tensorTypeInfo(tensor.type).name
                    + ", and vectors must be F32.");
            std::vector<float> values(tensor.bytes / sizeof(float));
            TRY(m_file.read(tensor.fileOffset, std::as_writable_bytes(std::span(values))));
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

        Result<StackedMatrix> stack(const std::vector<const TensorInfo*>& tensors,
            const std::vector<const TensorInfo*>& biases)
        {
            StackedMatrix stacked;
            for (size_t first = 0; first < tensors.size();) {
                size_t end = first + 1;
                while (end < tensors.size() && tensors[end]->type == tensors[first]->type)
                    ++end;
                const std::vector<const TensorInfo*> same(
                    tensors.begin() + first, tensors.begin() + end);
                TRY_ASSIGN(WeightMatrix weights, matrix(same));
                StackedMatrix::Part part { std::move(weights), std::nullopt,
                    stacked.outputColumns };
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
        Result<void> addBias(StackedMatrix::Part& part,
            const std::vector<const TensorInfo*>& biases, size_t first, size_t end)
        {
            if (biases.empty() || !biases[first])
                return {};
            std::vector<float> padded(part.weights.paddedRows());
            for (size_t i = first; i < end; ++i) {
                TRY_ASSIGN(const std::vector<float> values, numbers(*biases[i]));
                std::copy(values.begin(), values.end(),
                    padded.begin() + part.weights.partOffset(i - first));
            }
            TRY_ASSIGN(Activations bias, uploadRow(m_device, padded, biases[first]->name));
            part.bias = std::move(bias);
            return {};
        }

        vk::Device& m_device;
        const GgufFile& m_file;
    };

    Result<LayerWeights> layerWeights(TensorLoader& loader, const LayerTensors& tensors)
    {
        TRY_ASSIGN(Activations attentionNorm, loader.row(*tensors.attentionNorm));
        TRY_ASSIGN(StackedMatrix queryKeyValue,
            loader.stack({ tensors.query, tensors.key, tensors.value },
                { tensors.queryBias, tensors.keyBias, tensors.valueBias }));
        std::optional<Activations> queryKeyNorm;
        if (tensors.queryNorm) {
            TRY_ASSIGN(std::vector<float> weights, loader.numbers(*tensors.queryNorm));
            TRY_ASSIGN(const std::vector<float> keyWeights, loader.numbers(*tensors.keyNorm));
            weights.insert(weights.end(), keyWeights.begin(), keyWeights.end());
            TRY_ASSIGN(
                Activations both, uploadRow(loader.device(), weights, tensors.queryNorm->name));
            queryKeyNorm = std::move(both);
        }
        TRY_ASSIGN(WeightMatrix attentionOutput, loader.matrix(*tensors.attentionOutput));
        TRY_ASSIGN(std::optional<Activations> attentionPostNorm,
            loader.optionalRow(tensors.attentionPostNorm));
        TRY_ASSIGN(Activations feedForwardNorm, loader.row(*tensors.feedForwardNorm));
        TRY_ASSIGN(StackedMatrix gateUp, loader.stack({ tensors.gate, tensors.up }, {}));
        TRY_ASSIGN(WeightMatrix down, loader.matrix(*tensors.down));
        TRY_ASSIGN(std::optional<Activations> feedForwardPostNorm,
            loader.optionalRow(tensors.feedForwardPostNorm));
        return LayerWeights { std::move(attentionNorm), std::move(queryKeyValue),
            std::move(queryKeyNorm), std::move(attentionOutput), std::move(attentionPostNorm),
            std::move(feedForwardNorm), std::move(gateUp), std::move(down),
            std::move(feedForwardPostNorm) };
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
    vk::Device& device, const GgufFile& file, const ModelTensors& tensors)
{
    TensorLoader loader(device, file);
    TRY_ASSIGN(WeightMatrix tokenEmbedding, loader.matrix(*tensors.tokenEmbedding));
    std::vector<LayerWeights> layers;
    layers.reserve(tensors.layers.size());
    for (const LayerTensors& layerTensors : tensors.layers) {
        TRY_ASSIGN(LayerWeights layer, layerWeights(loader, layerTensors));
        layers.push_back(std::move(layer));
    }
    TRY_ASSIGN(Activations outputNorm, loader.row(*tensors.outputNorm));
    std::optional<WeightMatrix> separateOutput;
    if (tensors.output != tensors.tokenEmbedding) {
        TRY_ASSIGN(WeightMatrix output, loader.matrix(*tensors.output));
        separateOutput = std::move(output);
    }
    return std::make_unique<DeviceWeights>(DeviceWeights { std::move(tokenEmbedding),
        std::move(layers), std::move(outputNorm), std::move(separateOutput) });
}

uint64_t DeviceWeights::matrixBytes() const
{
    uint64_t bytes
        = tokenEmbedding.deviceBytes() + (separateOutput ? separateOutput->deviceBytes() : 0);
    for (const LayerWeights& layer : layers)
        bytes += bytesOf(layer.queryKeyValue) + layer.attentionOutput.deviceBytes()
            + bytesOf(layer.gateUp) + layer.down.deviceBytes();
    return bytes;
}

} // namespace engine
