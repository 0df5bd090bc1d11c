#include "engine/sampling/choose_token.h"

#include "engine/sampling/random_draw.h"
#include "shaders/choose_token.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace engine {

namespace {
    struct Shape {
        uint32_t firstTexel;
        uint32_t scoreCount;
        uint32_t groupCount;
        uint32_t endCount;
        uint32_t slot;
        uint32_t rowWord;
    };

    uint32_t slotsFor(uint32_t count, uint32_t lanes) { return (count + lanes - 1) / lanes; }
}

Result<ChooseToken> ChooseToken::create(KernelContext& context, const ChooseTokenOptions& options)
{
    using enum vk::BindingType;
    vk::Device& device = context.device();
    std::vector<uint32_t> endIds;
    for (const TokenId id : options.endTokenIds)
        if (id >= 0 && uint32_t(id) < options.scan.scoreCount())
            endIds.push_back(uint32_t(id));
    const auto room = [&](uint64_t bytes, vk::BufferDomain domain, const char* purpose) {
        return vk::Buffer::create(device, { .bytes = bytes, .domain = domain, .purpose = purpose });
    };
    TRY_ASSIGN(vk::Buffer settings, room(16, vk::BufferDomain::Upload, "sampler settings"));
    TRY_ASSIGN(vk::Buffer ends,
        room(std::max<uint64_t>(endIds.size() * 4, 16), vk::BufferDomain::Upload, "end token ids"));
    TRY_ASSIGN(vk::Buffer counter, room(16, vk::BufferDomain::Upload, "random counter"));
    TRY_ASSIGN(vk::Buffer results,
        room(uint64_t(kSlots) * kSlotBytes, vk::BufferDomain::Device, "chosen tokens"));
    TRY_ASSIGN(vk::Buffer candidates,
        room(uint64_t(kSlots) * kCandidateSlotBytes, vk::BufferDomain::Device, "candidates"));
    std::ranges::copy(endIds, ends.mappedAs<uint32_t>().begin());
    ChooseToken choose(options.scan, std::move(settings), std::move(ends), std::move(counter),
        std::move(results), std::move(candidates));
    choose.m_endCount = uint32_t(endIds.size());
    choose.begin({ .temperature = 0 }, 0);
    TRY_ASSIGN(vk::TexelView settingTexels,
        vk::TexelView::create(device, choose.m_settings, { .format = vk::TexelFormat::UInt4 }));
    TRY_ASSIGN(vk::TexelView endTexels,
        vk::TexelView::create(device, choose.m_endIds, { .format = vk::TexelFormat::UInt1 }));
    choose.m_settingTexels.emplace(std::move(settingTexels));
    choose.m_endTexels.emplace(std::move(endTexels));
    TRY_ASSIGN(choose.m_pipeline,
        context.pipeline({
            .name = "choose_token",
            .spirv = shaders::choose_token(),
            .constants = { { 1, slotsFor(options.scan.groupCount(), context.lanes()) },
                { 2, slotsFor(kStepCandidates, context.lanes()) } },
            .bindings = { UniformTexel, StorageBuffer, UniformTexel, UniformTexel, UniformTexel,
                StorageBuffer, StorageBuffer, StorageBuffer, StorageBuffer },
            .pushConstantBytes = sizeof(Shape),
        }));
    TRY_ASSIGN(vk::BindingSet set,
        vk::BindingSet::create(device, *choose.m_pipeline,
            { options.scan.scores().texels(), options.scan.blocks(), options.scan.groups(),
                *choose.m_settingTexels, *choose.m_endTexels, choose.m_counter,
                options.rows.rowBuffer(), choose.m_results, choose.m_candidates }));
    choose.m_set.emplace(std::move(set));
    return choose;
}

std::optional<std::string> ChooseToken::obstacle(const SamplerSettings& settings)
{
    if (penaltiesOn(settings))
        return "penalties are computed by the host";
    if (!settings.logitBias.empty())
        return "the logit bias is added by the host";
    if (!settings.bannedIds.empty())
        return "banned tokens are left out by the host";
    if (settings.temperature == 0)
        return std::nullopt;
    if (settings.topK == 0)
        return "top-k is off: what is cut may lie beyond the " + std::to_string(kStepCandidates)
            + " candidates that the device keeps";
    if (settings.topK > int(kStepCandidates))
        return "top-k is " + std::to_string(settings.topK) + " and the device keeps "
            + std::to_string(kStepCandidates) + " candidates";
    return std::nullopt;
}

void ChooseToken::begin(const SamplerSettings& settings, uint64_t step)
{
    const bool isGreedy = settings.temperature == 0;
    const float logMinP = settings.minP > 0 ? float(std::log(double(settings.minP)))
                                            : std::numeric_limits<float>::lowest();
    const float coldness = isGreedy ? 1.0f : float(1 / double(settings.temperature));
    const uint32_t words[] = { isGreedy ? 0u : uint32_t(settings.topK),
        std::bit_cast<uint32_t>(settings.topP), std::bit_cast<uint32_t>(logMinP),
        std::bit_cast<uint32_t>(coldness) };
    std::ranges::copy(words, m_settings.mappedAs<uint32_t>().begin());
    const uint64_t counter = drawCounter(settings.seed, step);
    m_counter.mappedAs<uint32_t>()[0] = uint32_t(counter);
    m_counter.mappedAs<uint32_t>()[1] = uint32_t(counter >> 32);
}

void ChooseToken::record(vk::Recorder& recorder, uint32_t slot) const
{
    recorder.bind(*m_pipeline, *m_set);
    recorder.push(Shape {
        .firstTexel = 0,
        .scoreCount = m_scan->scoreCount(),
        .groupCount = m_scan->groupCount(),
        .endCount = m_endCount,
        .slot = slot,
        .rowWord = 0,
    });
    recorder.dispatch(1);
}

} // namespace engine
