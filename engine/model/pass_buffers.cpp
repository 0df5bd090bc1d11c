#include "engine/model/pass_buffers.h"

#include "engine/kernels/attention.h"
#include "engine/kernels/normed_products.h"
#include "engine/kernels/tile_shape.h"
#include "engine/model/rope_frequencies.h"

namespace engine {

namespace {
    bool fuses(const StackedMatrix& gateUp)
    {
        return gateUp.parts.size() == 1 && gateUp.parts.front().weights.slabs().size() == 1;
    }
}

uint64_t PassBuffers::kvBytes(const ModelConfig& config, uint32_t pageCount)
{
    return KvShape { config.kvHeadCount, config.headDim, pageCount }.bytes() * 2 * config.layerCount;
}

Result<std::unique_ptr<PassBuffers>> PassBuffers::create(vk::Device& device, const ModelConfig& config,
    const DeviceWeights& weights, std::span<const float> ropeFactors, const PassBufferOptions& options)
{
    const uint32_t pagesOfContext = (options.contextLength + kKvPageTokens - 1) / kKvPageTokens;
    const uint32_t splitCount = (options.contextLength + kSplitPositions - 1) / kSplitPositions;
    TRY_ASSIGN(BatchRows rows,
        BatchRows::create(device,
            { .rowCount = options.rowCount,
                .tableCount = options.sequenceCount,
                .tablePages = (pagesOfContext + kSplitPages) / kSplitPages * kSplitPages }));

    const auto rotation = [&](const RopeSettings& rope) {
        return RotationTable::create(device,
            ropeFrequencies(rope, config.headDim, rope.frequencyFactors ? ropeFactors : std::span<const float>()),
            options.contextLength);
    };
    TRY_ASSIGN(RotationTable globalRotation, rotation(config.globalRope));
    std::optional<RotationTable> localRotation;
    if (config.slidingWindow > 0) {
        TRY_ASSIGN(RotationTable local, rotation(config.localRope));
        localRotation = std::move(local);
    }

    // Tiles of tokens may read rows past the last one; their results are not stored.
    const uint32_t rowCount = (options.rowCount + kMostTileTokens - 1) / kMostTileTokens * kMostTileTokens;
    const uint32_t scoredCount = (options.scoredRowCount + kMostTileTokens - 1) / kMostTileTokens * kMostTileTokens;
    const auto activations = [&](uint32_t count, uint32_t columns, const char* purpose) {
        return Activations::create(device, count, columns, purpose);
    };
    const LayerWeights& layer = weights.layers.front();
    bool allFuse = true;
    uint32_t qkvColumns = 0;
    for (const LayerWeights& each : weights.layers) {
        allFuse = allFuse && fuses(each.gateUp);
        qkvColumns = std::max(qkvColumns, each.queryKeyValue.outputColumns);
    }
    const uint32_t hiddenColumns = layer.gateUp.outputColumns / 2;
    TRY_ASSIGN(Activations residual, activations(rowCount, config.embeddingLength, "residual stream"));
    TRY_ASSIGN(Activations normed, activations(rowCount, config.embeddingLength, "normalised activations"));
    TRY_ASSIGN(Activations scaled, activations(rowCount, config.embeddingLength, "scaled residual stream"));
    TRY_ASSIGN(Activations squares,
        activations(rowCount,
            MatmulResidual::squaresCount(residual.stride(), device.capabilities().subgroupSize), "sums of squares"));
    TRY_ASSIGN(Activations branch, activations(rowCount, config.embeddingLength, "branch output"));
    TRY_ASSIGN(Activations queryKeyValue, activations(rowCount, qkvColumns, "queries, keys and values"));
    TRY_ASSIGN(Activations query, activations(rowCount, config.queryLength(), "rotated queries"));
    TRY_ASSIGN(Activations attended, activations(rowCount, config.queryLength(), "attention output"));
    TRY_ASSIGN(Activations gateUp, activations(allFuse ? 1 : rowCount, 2 * hiddenColumns, "gate and up"));
    TRY_ASSIGN(Activations hidden, activations(rowCount, hiddenColumns, "feed-forward activations"));
    TRY_ASSIGN(
        Activations scoredNormed, activations(scoredCount, config.embeddingLength, "normalised scored rows"));
    TRY_ASSIGN(Activations logits, activations(scoredCount, weights.output().paddedRows(), "logits"));
    TRY_ASSIGN(vk::Buffer partial,
        vk::Buffer::create(device,
            { .bytes = Attention::partialBytes(rowCount, config.headCount, config.headDim, splitCount),
                .domain = vk::BufferDomain::Device,
                .purpose = "attention splits" }));
    TRY_ASSIGN(
        vk::TexelView partialFloats, vk::TexelView::create(device, partial, { .format = vk::TexelFormat::Float1 }));
    TRY_ASSIGN(vk::Buffer logitsReadback,
        vk::Buffer::create(device,
            { .bytes = logits.buffer().bytes(), .domain = vk::BufferDomain::Readback, .purpose = "logits" }));
    std::vector<KvPages> pages;
    for (uint32_t i = 0; i < config.layerCount; ++i) {
        TRY_ASSIGN(KvPages layerPages,
            KvPages::create(device, { config.kvHeadCount, config.headDim, options.pageCount },
                "KV cache of layer " + std::to_string(i)));
        pages.push_back(std::move(layerPages));
    }
    return std::make_unique<PassBuffers>(PassBuffers { options, splitCount, std::move(rows),
        std::move(globalRotation), std::move(localRotation), std::move(residual), std::move(normed),
        std::move(scaled), std::move(squares), std::move(branch), std::move(queryKeyValue), std::move(query), std::move(attended), std::move(gateUp),
        std::move(hidden), std::move(scoredNormed), std::move(logits), std::move(partial), std::move(partialFloats),
        std::move(logitsReadback), std::move(pages) });
}

} // namespace engine
