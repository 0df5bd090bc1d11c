#include "engine/model/weight_reader.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

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

    /// A matrix and the tensors that are stacked in it.
    struct MatrixSource {
        const WeightMatrix* matrix;
        std::vector<const TensorInfo*> tensors;
        size_t interleavedCount = 0; ///< tensors, from the first, that are reordered for RoPE
    };

    void addStack(std::vector<MatrixSource>& sources, const StackedMatrix& stack,
        const std::vector<const TensorInfo*>& tensors, size_t interleavedCount)
    {
        size_t first = 0;
        for (const StackedMatrix::Part& part : stack.parts) {
            const size_t end = first + part.weights.partCount();
            sources.push_back({ &part.weights, { tensors.begin() + first, tensors.begin() + end },
                interleavedCount > first ? interleavedCount - first : 0 });
            first = end;
        }
    }

    /// In layer order, as files have them.
    std::vector<MatrixSource> sourcesOf(
        const DeviceWeights& weights, const ModelTensors& tensors, const ModelConfig& config)
    {
        const size_t interleaved
            = config.traits->ropePairing == RopePairing::Interleaved ? 2 : 0; // q and k
        std::vector<MatrixSource> sources { { &weights.tokenEmbedding,
            { tensors.tokenEmbedding } } };
        for (size_t i = 0; i < weights.layers.size(); ++i) {
            const LayerWeights& layer = weights.layers[i];
            const LayerTensors& from = tensors.layers[i];
            addStack(
                sources, layer.queryKeyValue, { from.query, from.key, from.value }, interleaved);
            sources.push_back({ &layer.attentionOutput, { from.attentionOutput } });
            addStack(sources, layer.gateUp, { from.gate, from.up }, 0);
            sources.push_back({ &layer.down, { from.down } });
        }
        if (weights.separateOutput)
            sources.push_back({ &*weights.separateOutput, { tensors.output } });
        return sources;
    }

    RowReader readerOf(const GgufFile& file, const TensorInfo& tensor)
    {
        const uint64_t rowBytes = tensor.bytes / tensor.rows();
        return [&file, &tensor, rowBytes](uint64_t firstRow, std::span<std::byte> bytes) {
            return file.read(tensor.fileOffset + firstRow * rowBytes, bytes);
        };
    }
}

WeightPacking choosePacking(const vk::Device& device)
{
    const char* wish = std::getenv("TOKENGLASS_PACKING");
    if (wish && std::string_view(wish) == "host")
        return WeightPacking::OnHost;
    if (wish && std::string_view(wish) == "device")
        return WeightPacking::OnDevice;
    return device.capabilities().softwareDevice ? WeightPacking::OnHost : WeightPacking::OnDevice;
}

Result<WeightReader> WeightReader::create(
    KernelContext& context, const GgufFile& file, WeightPacking packing)
{
    WeightReader reader(file);
    const uint64_t stagingBytes = stagingBytesFor(bytesOf(file));
    if (packing == WeightPacking::OnHost) {
        reader.m_packer.emplace(context.device(), stagingBytes);
        return reader;
    }
    std::set<TensorType> types;
    for (const TensorInfo& tensor : file.tensors())
        if (tensor.rows() > 1)
            types.insert(tensor.type);
    TRY_ASSIGN(RepackWeights repack,
        RepackWeights::create(context, std::vector(types.begin(), types.end()), stagingBytes));
    reader.m_repack.emplace(std::move(repack));
    return reader;
}

Result<void> WeightReader::read(const DeviceWeights& weights, const ModelTensors& tensors,
    const ModelConfig& config, const LoadProgress& progress)
{
    const std::vector<MatrixSource> sources = sourcesOf(weights, tensors, config);
    const uint64_t totalBytes = bytesOf(*m_file);
    uint64_t doneBytes = totalBytes; // vectors are read already
    for (const MatrixSource& source : sources)
        for (const TensorInfo* tensor : source.tensors)
            doneBytes -= tensor->bytes;
    const auto count = [&](uint64_t bytes) {
        doneBytes += bytes;
        return !progress || progress(doneBytes, totalBytes);
    };
    const auto fill = [&](const MatrixSource& source) {
        std::vector<WeightPart> parts;
        for (size_t i = 0; i < source.tensors.size(); ++i)
            parts.push_back({ source.tensors[i]->rows(), readerOf(*m_file, *source.tensors[i]),
                i < source.interleavedCount ? config.headDim : 0 });
        return m_packer ? m_packer->pack(*source.matrix, parts, count)
                        : m_repack->pack(*source.matrix, parts, count);
    };
    Result<void> filled;
    for (size_t i = 0; i < sources.size() && filled; ++i)
        filled = fill(sources[i]);
    // Whatever happened, nothing may be in flight to buffers that may go now.
    const Result<void> arrived = m_packer ? m_packer->finish() : m_repack->finish();
    TRY(filled);
    return arrived;
}

} // namespace engine
