#include "engine/kernels/rope_store.h"

#include "engine/vulkan/transfer.h"
#include "shaders/rope_store.h"

#include <cmath>
#include <vector>

namespace engine {

namespace {
    constexpr uint32_t kFinePositions = 256;

    struct Shape {
        uint32_t headCount;
        uint32_t kvHeadCount;
        uint32_t qkvStride;
        uint32_t kOffset;
        uint32_t vOffset;
        uint32_t qStride;
        float epsilon;
    };

    Result<vk::Buffer> rotations(
        vk::Device& device, std::span<const double> frequencies, uint32_t count, uint32_t step)
    {
        std::vector<float> values;
        values.reserve(size_t(count) * frequencies.size() * 2);
        for (uint32_t i = 0; i < count; ++i)
            for (const double frequency : frequencies) {
                const double angle = frequency * double(uint64_t(i) * step);
                values.push_back(float(std::cos(angle)));
                values.push_back(float(std::sin(angle)));
            }
        TRY_ASSIGN(vk::Buffer buffer,
            vk::Buffer::create(device,
                { .bytes = values.size() * sizeof(float),
                    .domain = vk::BufferDomain::Weights,
                    .purpose = "rotation table" }));
        TRY(vk::writeBuffer(device, buffer, 0, std::as_bytes(std::span(values))));
        return buffer;
    }
}

Result<RotationTable> RotationTable::create(
    vk::Device& device, std::span<const double> frequencies, uint32_t contextLength)
{
    TRY_ASSIGN(vk::Buffer fine, rotations(device, frequencies, kFinePositions, 1));
    TRY_ASSIGN(
        vk::Buffer coarse, rotations(device, frequencies, contextLength / kFinePositions + 1, kFinePositions));
    TRY_ASSIGN(vk::TexelView fineView, vk::TexelView::create(device, fine, { .format = vk::TexelFormat::Float2 }));
    TRY_ASSIGN(
        vk::TexelView coarseView, vk::TexelView::create(device, coarse, { .format = vk::TexelFormat::Float2 }));
    return RotationTable(std::move(fine), std::move(coarse), std::move(fineView), std::move(coarseView));
}

Result<RopeStore> RopeStore::create(KernelContext& context, const RopeStoreOptions& options)
{
    using enum vk::BindingType;
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({
            .name = "rope_store",
            .spirv = shaders::rope_store(),
            .constants = { { 1, options.pages.shape().headDim / 2 }, { 3, options.normWeights ? 1u : 0u },
                { 5, kKvPageTokens } },
            .bindings = { UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel, UniformTexel,
                StorageBuffer, StorageBuffer, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        }));
    const Activations& weights = options.normWeights ? *options.normWeights : options.qkv;
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(context.device(), *pipeline,
            { options.qkv.floats(), options.rows.rows(), options.rows.tables(), options.rotation.fine(),
                options.rotation.coarse(), weights.floats(), options.q.buffer(), options.pages.keys(),
                options.pages.values() }));
    return RopeStore(options, *pipeline, std::move(set));
}

void RopeStore::record(vk::Recorder& recorder, uint32_t tokenCount) const
{
    recorder.bind(*m_pipeline, m_set);
    const uint32_t kvHeads = m_options.pages.shape().kvHeadCount;
    recorder.push(Shape {
        .headCount = m_options.headCount,
        .kvHeadCount = kvHeads,
        .qkvStride = m_options.qkv.stride(),
        .kOffset = m_options.kOffset,
        .vOffset = m_options.vOffset,
        .qStride = m_options.q.stride(),
        .epsilon = m_options.epsilon,
    });
    recorder.dispatch(m_options.headCount + 2 * kvHeads, tokenCount);
}

} // namespace engine
