#include "app/cli/bench_sequences.h"

#include "app/cli/bench_runs.h"
#include "app/cli/engine_factory.h"
#include "engine/model/device_model.h"
#include "engine/sampling/sampler.h"
#include "engine/vulkan/instance.h"

#include <chrono>
#include <numeric>

using engine::Batch;
using engine::Error;
using engine::Result;
using engine::TokenId;
using engine::TokenIds;

namespace app {

namespace {
    constexpr uint32_t kPromptTokens = 16;

    /// Sequences that one model on one device writes in step with each other, greedily.
    class SideBySide {
    public:
        SideBySide(engine::DeviceModel& model, uint32_t sequenceCount)
            : m_model(model)
            , m_sequences(sequenceCount)
        {
            const uint32_t pagesOfOne = model.pageCount() / uint32_t(m_sequences.size());
            for (uint32_t i = 0; i < m_sequences.size(); ++i) {
                std::vector<uint32_t> pages(
                    (model.contextLength() + engine::kKvPageTokens - 1) / engine::kKvPageTokens);
                std::iota(pages.begin(), pages.end(), i * pagesOfOne);
                model.buffers().rows.setTable(i, pages);
            }
        }

        /// Starts the first `count` sequences anew, each on a prompt of its own.
        Result<void> start(uint32_t count, const std::function<bool()>& cancelled)
        {
            m_count = count;
            for (uint32_t i = 0; i < count; ++i) {
                m_sequences[i].clear();
                Batch batch;
                for (uint32_t position = 0; position < kPromptTokens; ++position) {
                    const uint64_t number = 100 + (position + kPromptTokens * i) * 37;
                    m_sequences[i].push_back(TokenId(number % m_model.config().vocabularySize));
                    batch.rows.push_back({ m_sequences[i].back(), position, i });
                }
                batch.scoredRows = { kPromptTokens - 1 };
                TRY(m_model.forward().run(batch, cancelled));
                TRY(choose(i, m_model.forward().logits(0)));
            }
            return {};
        }

        /// One token more for each.
        Result<void> step(const std::function<bool()>& cancelled)
        {
            Batch batch;
            for (uint32_t i = 0; i < m_count; ++i) {
                const uint32_t position = uint32_t(m_sequences[i].size()) - 1;
                batch.rows.push_back({ m_sequences[i].back(), position, i });
                batch.scoredRows.push_back(i);
            }
            TRY(m_model.forward().run(batch, cancelled));
            for (uint32_t i = 0; i < m_count; ++i)
                TRY(choose(i, m_model.forward().logits(i)));
            return {};
        }

    private:
        Result<void> choose(uint32_t sequence, std::span<const float> logits)
        {
            TRY_ASSIGN(const engine::TokenRecord record,
                m_sampler.choose({ .logits = logits, .recentTokens = m_sequences[sequence] }));
            m_sequences[sequence].push_back(record.id);
            return {};
        }

        static engine::SamplerSettings greedy()
        {
            engine::SamplerSettings settings;
            settings.temperature = 0;
            return settings;
        }

        engine::DeviceModel& m_model;
        std::vector<TokenIds> m_sequences;
        uint32_t m_count = 0;
        engine::Sampler m_sampler { greedy(), {} };
    };

    Result<double> tokensPerSecond(SideBySide& sequences, uint32_t count, int stepCount,
        const std::function<bool()>& cancelled)
    {
        using Clock = std::chrono::steady_clock;
        TRY(sequences.start(count, cancelled));
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < stepCount; ++i)
            TRY(sequences.step(cancelled));
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return seconds > 0 ? double(stepCount) * count / seconds : 0;
    }
}

Result<SequencesReport> measureSequences(
    const BenchSequencesOptions& options, const std::function<bool()>& interrupted)
{
    engine::vk::DeviceOptions deviceOptions;
    if (!options.deviceWish.empty()) {
        TRY_ASSIGN(deviceOptions.uuid, deviceUuidOf(options.deviceWish));
    }
    TRY_ASSIGN(const engine::GgufFile file, engine::GgufFile::open(options.modelPath));
    TRY_ASSIGN(const engine::vk::Instance instance, engine::vk::Instance::create());
    TRY_ASSIGN(engine::vk::Device device, engine::vk::Device::create(instance, deviceOptions));
    const uint32_t count = uint32_t(options.sequenceCount);
    TRY_ASSIGN(const auto model,
        engine::DeviceModel::create(device, file,
            { .contextLength = kPromptTokens + uint32_t(options.decodeTokenCount) + 1,
                .sequenceCount = count,
                .progress = [&](uint64_t, uint64_t) { return !interrupted(); } }));
    TRY(model->forward().warmUp(interrupted));

    SideBySide sequences(*model, count);
    TRY(tokensPerSecond(sequences, count, 2, interrupted)); // compiles what warmUp does not
    std::vector<double> together;
    std::vector<double> alone;
    for (int round = 0; round < options.roundCount; ++round) {
        TRY_ASSIGN(const double all,
            tokensPerSecond(sequences, count, options.decodeTokenCount, interrupted));
        TRY_ASSIGN(
            const double one, tokensPerSecond(sequences, 1, options.decodeTokenCount, interrupted));
        together.push_back(all);
        alone.push_back(one);
    }
    return SequencesReport { options.sequenceCount, medianOf(together), medianOf(alone),
        device.description().name };
}

} // namespace app
