#include "engine/session/engine.h"

#include "engine/base/job.h"
#include "engine/session/model_text.h"
#include "engine/session/self_test.h"

#include <algorithm>
#include <sstream>
#include <map>

namespace engine {

namespace {
    /// As many as a pass can score.
    constexpr int kSideCount = int(DeviceModel::kScoredRows);

    /// "Q4_1 (211), F32 (61)": types by how many bytes of the file they take.
    std::string tensorTypesOf(const GgufFile& file)
    {
        struct Share {
            uint64_t bytes = 0;
            int count = 0;
        };
        std::map<TensorType, Share> shares;
        for (const TensorInfo& tensor : file.tensors()) {
            shares[tensor.type].bytes += tensor.bytes;
            ++shares[tensor.type].count;
        }
        std::vector<std::pair<TensorType, Share>> sorted(shares.begin(), shares.end());
        std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
        std::string text;
        for (const auto& [type, share] : sorted)
            text += (text.empty() ? "" : ", ") + std::string(tensorTypeInfo(type).name) + " ("
                + std::to_string(share.count) + ")";
        return text;
    }

    /// FNV-1a over the start and the end of the file and its size: tells files apart within one run
    /// of the program. The record's SHA-256 is computed elsewhere.
    Result<std::string> fingerprintOf(const GgufFile& file)
    {
        uint64_t hash = 14695981039346656037ull;
        const auto add = [&](std::span<const std::byte> bytes) {
            for (const std::byte byte : bytes)
                hash = (hash ^ uint64_t(byte)) * 1099511628211ull;
        };
        const uint64_t length = std::min<uint64_t>(file.fileBytes(), 64 << 10);
        std::vector<std::byte> bytes(length);
        for (const uint64_t offset : { uint64_t(0), file.fileBytes() - length }) {
            TRY(file.read(offset, bytes));
            add(bytes);
        }
        return std::to_string(file.fileBytes()) + "-" + std::to_string(hash);
    }

    uint64_t parameterCountOf(const GgufFile& file)
    {
        uint64_t count = 0;
        for (const TensorInfo& tensor : file.tensors())
            count += tensor.columns() * tensor.rows();
        return count;
    }

    uint64_t tensorBytesOf(const GgufFile& file)
    {
        uint64_t bytes = 0;
        for (const TensorInfo& tensor : file.tensors())
            bytes += tensor.bytes;
        return bytes;
    }

    std::string ropeWords(const ModelConfig& config)
    {
        const auto words = [](const RopeSettings& rope) {
            std::ostringstream text;
            text << "base " << rope.base << ", scale " << rope.positionScale;
            return text.str();
        };
        const std::string global = words(config.globalRope);
        return config.localRope == config.globalRope ? global : global + "; " + words(config.localRope);
    }

    Result<ModelDescription> describe(
        const GgufFile& file, const DeviceModel& model, const ModelText& text, const vk::Device& device)
    {
        ModelDescription description;
        description.path = file.path().string();
        description.fileBytes = file.fileBytes();
        description.name = file.path().stem().string();
        description.architecture = model.config().traits->name;
        description.tensorTypes = tensorTypesOf(file);
        description.tokenizerName = text.tokenizer->name();
        description.vocabularySize = text.tokenizer->vocabulary().size();
        description.trainedContextLength = int(model.config().contextLength);
        description.contextLength = int(model.contextLength());
        description.parameterCount = parameterCountOf(file);
        description.tensorBytes = tensorBytesOf(file);
        description.deviceWeightBytes = model.weightBytes();
        description.peakLoadBytes = device.allocations().bytes(vk::BufferDomain::Weights)
            + device.allocations().peakBytes(vk::BufferDomain::Upload);
        description.kvBytes = model.kvBytes();
        description.kvType = "f16";
        description.rope = ropeWords(model.config());
        description.numericsTier = "scalar";
        TRY_ASSIGN(description.fingerprint, fingerprintOf(file));
        description.device = device.description();
        return description;
    }
}

Result<std::unique_ptr<Engine>> Engine::open(const ModelLoadRequest& request, const ModelLoadControl& control)
{
    const auto cancelled = [&] { return control.cancelled && control.cancelled(); };
    const auto tell = [&](const char* step, uint64_t done, uint64_t total) {
        if (control.progress)
            control.progress({ step, done, total });
    };
    tell("reading the file", 0, 0);
    TRY_ASSIGN(const GgufFile file, GgufFile::open(request.path));
    TRY_ASSIGN(vk::Instance instance, vk::Instance::create());
    TRY_ASSIGN(vk::Device device, vk::Device::create(instance, { .uuid = request.deviceUuid }));
    std::unique_ptr<Engine> engine(new Engine(std::move(instance), std::move(device)));

    Job<std::shared_ptr<const ModelText>> text(
        [&file](std::stop_token) { return readModelText(file); });
    DeviceModelOptions options;
    options.sideCount = kSideCount;
    options.contextLength = uint32_t(std::max(0, request.contextLength));
    options.progress = [&](uint64_t done, uint64_t total) {
        tell("reading weights", done, total);
        return !cancelled();
    };
    options.cancelled = cancelled;
    TRY_ASSIGN(engine->m_model, DeviceModel::create(engine->m_device, file, options));
    tell("reading the vocabulary", 0, 0);
    TRY_ASSIGN(engine->m_text, text.take(cancelled));
    if (uint32_t(engine->m_text->tokenizer->vocabulary().size()) != engine->m_model->config().vocabularySize)
        return Error::badFile(file.path().string() + ": the tokenizer has "
            + std::to_string(engine->m_text->tokenizer->vocabulary().size()) + " tokens, and token_embd.weight has "
            + std::to_string(engine->m_model->config().vocabularySize) + " rows.");
    TRY_ASSIGN(engine->m_description,
        describe(file, *engine->m_model, *engine->m_text, engine->m_device));

    tell("compiling kernels", 0, 0);
    TRY(engine->m_model->forward().warmUp(cancelled));
    tell("self-test", 0, 0);
    TRY(runSelfTest(*engine->m_model, file, cancelled));

    // Everything but the tokens that keys and values depend on.
    const ModelDescription& description = engine->m_description;
    const std::string configuration = description.fingerprint + "/" + description.tensorTypes + "/" + description.kvType
        + "/" + description.numericsTier;
    engine->m_pool.emplace(engine->m_model->pageCount());
    TRY_ASSIGN(engine->m_step,
        RecordedStep::create(*engine->m_model, engine->m_text->tokenizer->vocabulary().endTokenIds()));
    TRY(engine->m_step->warmUp(cancelled));
    engine->m_session = std::make_unique<Session>(
        *engine->m_model, *engine->m_pool, configuration, 0, engine->m_step.get());
    engine->m_group = std::make_unique<SessionGroup>(
        *engine->m_model, *engine->m_pool, configuration, 1, kSideCount, *engine->m_step);
    if (cancelled())
        return Error::cancelled("Loading was stopped.");
    return engine;
}

EngineFactory vulkanEngineFactory()
{
    return [](const ModelLoadRequest& request,
               const ModelLoadControl& control) -> Result<std::unique_ptr<LoadedModel>> {
        TRY_ASSIGN(std::unique_ptr<Engine> engine, Engine::open(request, control));
        return std::unique_ptr<LoadedModel>(std::move(engine));
    };
}

} // namespace engine
