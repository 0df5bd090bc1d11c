#include "engine/model/device_model.h"

#include "engine/base/job.h"
#include "engine/model/rope_frequencies.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kMebibyte = 1 << 20;

    std::string mebibytes(uint64_t bytes) { return std::to_string((bytes + kMebibyte - 1) / kMebibyte) + " MiB"; }

    /// Pages of a sequence, and some more, so that an abandoned branch stays findable.
    uint32_t pagesFor(uint32_t contextLength)
    {
        const uint32_t pages = (contextLength + kKvPageTokens - 1) / kKvPageTokens;
        return pages + std::max(4u, pages / 4);
    }

    /// The context to open: what was asked for if it fits, else an error with both numbers; when
    /// nothing was asked for, the largest that leaves a tenth of the memory free.
    Result<uint32_t> chooseContext(const ModelConfig& config, uint64_t availableBytes, uint32_t asked)
    {
        const uint64_t budget = availableBytes / 10 * 9;
        const auto fits = [&](uint32_t length) { return PassBuffers::kvBytes(config, pagesFor(length)) <= budget; };
        if (asked > 0) {
            if (!fits(asked))
                return Error::outOfMemory("A context of " + std::to_string(asked) + " positions needs "
                    + mebibytes(PassBuffers::kvBytes(config, pagesFor(asked))) + " for its KV cache, and the device has "
                    + mebibytes(budget) + " left. Choose a smaller context.");
            return asked;
        }
        uint32_t length = config.contextLength;
        while (length > kKvPageTokens && !fits(length))
            length /= 2;
        if (!fits(length))
            return Error::outOfMemory("The KV cache needs " + mebibytes(PassBuffers::kvBytes(config, pagesFor(length)))
                + " even for a short context, and the device has " + mebibytes(budget) + " left.");
        return length;
    }
}

DeviceModel::~DeviceModel()
{
    // A cache that cannot be written only makes the next start slower.
    if (m_cache && !m_device.isLost())
        (void)m_cache->save();
}

Result<std::unique_ptr<DeviceModel>> DeviceModel::create(
    vk::Device& device, const GgufFile& file, const DeviceModelOptions& options)
{
    TRY_ASSIGN(const ModelConfig config, ModelConfig::create(file));
    if (config.headDim % 8 != 0)
        return Error::unsupported(file.path().string() + ": heads of " + std::to_string(config.headDim)
            + " dimensions are not implemented; the number must be a multiple of 8.");
    if (options.contextLength > config.contextLength)
        return Error::badRequest("The model was trained for " + std::to_string(config.contextLength)
            + " positions; a context of " + std::to_string(options.contextLength) + " is too long.");
    std::unique_ptr<DeviceModel> model(new DeviceModel(device, config));
    TRY_ASSIGN(vk::PipelineCache cache, vk::PipelineCache::create(device, vk::PipelineCache::defaultPath(device)));
    model->m_cache = std::make_unique<vk::PipelineCache>(std::move(cache));
    model->m_context = std::make_unique<KernelContext>(device, model->m_cache.get());
    TRY(model->load(file, options));
    return model;
}

/// This thread reads the weights, while another makes the kernels.
Result<void> DeviceModel::load(const GgufFile& file, const DeviceModelOptions& options)
{
    const uint64_t freeBytes = m_device.availableBytes(vk::BufferDomain::Device);
    TRY_ASSIGN(const ModelTensors tensors, ModelTensors::create(file, m_config));
    TRY_ASSIGN(m_weights, DeviceWeights::create(m_device, file, tensors));
    // What a driver says is free may leave out what was allocated and not yet written.
    const uint64_t weightBytes = m_device.allocations().bytes(vk::BufferDomain::Weights);
    const uint64_t availableBytes = std::min(m_device.availableBytes(vk::BufferDomain::Device),
        freeBytes - std::min(freeBytes, weightBytes));
    TRY_ASSIGN(const uint32_t contextLength,
        chooseContext(m_config, availableBytes, options.contextLength));
    TRY_ASSIGN(const std::vector<float> ropeFactors, readRopeFactors(file, m_config));
    TRY_ASSIGN(m_buffers,
        PassBuffers::create(m_device, m_config, *m_weights, ropeFactors,
            { .rowCount = kChunkRows,
                .scoredRowCount = kScoredRows,
                .contextLength = contextLength,
                .sequenceCount = options.sequenceCount + options.sideCount,
                .pageCount = pagesFor(contextLength) * options.sequenceCount }));
    TRY_ASSIGN(
        WeightReader reader, WeightReader::create(*m_context, file, choosePacking(m_device)));
    TRY_ASSIGN(std::unique_ptr<Meeting> meeting, Meeting::create(*m_context));

    // Until it ends nobody else uses the context; it looks at no buffer's contents.
    Job<std::unique_ptr<ForwardPass>> kernels([&](std::stop_token stop) {
        m_context->setStop(std::move(stop));
        auto made = ForwardPass::create(
            *m_context, { m_config, *m_weights, *m_buffers, std::move(meeting) });
        m_context->setStop({});
        return made;
    });
    Result<void> compiled;
    const auto takeKernels = [&]() -> Result<void> {
        if (!m_forward) {
            TRY_ASSIGN(m_forward, kernels.take(options.cancelled));
        }
        TRY(m_forward->continueCompiling());
        return {};
    };
    const Result<void> read
        = reader.read(*m_weights, tensors, m_config, [&](uint64_t done, uint64_t total) {
              if (m_forward || kernels.isDone())
                  compiled = takeKernels();
              return compiled && (!options.progress || options.progress(done, total));
          });
    TRY(compiled);
    TRY(read);
    return takeKernels();
}

void DeviceModel::setTrace(TraceLog* log)
{
    m_forward->setTrace(nullptr);
    m_trace = log ? std::make_unique<PassTrace>(*log, m_device, m_config, *m_weights) : nullptr;
    m_forward->setTrace(m_trace.get());
}

} // namespace engine
