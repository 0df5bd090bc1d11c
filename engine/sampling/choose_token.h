#pragma once

#include "engine/kernels/batch_rows.h"
#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/scan_scores.h"
#include "engine/sampling/step_result.h"

#include <optional>
#include <string>

namespace engine {

struct ChooseTokenOptions {
    const ScanScores& scan;
    const BatchRows& rows; ///< the first row becomes that of the next step
    TokenIds endTokenIds; ///< summed up in StepResult::endMass
};

/// Chooses a token from scanned scores by the stages of DESIGN.md section 4, and moves the state of
/// decoding on: the first row gets the token and the next position, the random counter one step.
/// Two steps may be on their way at once: results and candidates have a slot for each.
class ChooseToken {
public:
    static constexpr uint32_t kSlots = 2;
    static constexpr uint32_t kSlotBytes = 256; ///< of results; a StepResult is at its start
    static constexpr uint32_t kCandidateSlotBytes = kStepCandidates * sizeof(TokenScore);

    static Result<ChooseToken> create(KernelContext& context, const ChooseTokenOptions& options);

    /// Why these settings cannot be met on the device, in words; none when they can.
    static std::optional<std::string> obstacle(const SamplerSettings& settings);
    /// Settings without an obstacle, and the step of the next draw. Nothing may be in flight.
    void begin(const SamplerSettings& settings, uint64_t step);

    /// After ScanScores and a barrier.
    void record(vk::Recorder& recorder, uint32_t slot) const;

    const vk::Buffer& results() const { return m_results; } ///< [kSlots] of kSlotBytes
    const vk::Buffer& candidates() const { return m_candidates; } ///< [kSlots][kStepCandidates] TokenScore

private:
    ChooseToken(const ScanScores& scan, vk::Buffer settings, vk::Buffer endIds, vk::Buffer counter,
        vk::Buffer results, vk::Buffer candidates)
        : m_scan(&scan)
        , m_settings(std::move(settings))
        , m_endIds(std::move(endIds))
        , m_counter(std::move(counter))
        , m_results(std::move(results))
        , m_candidates(std::move(candidates))
    {
    }

    const ScanScores* m_scan;
    uint32_t m_endCount = 0;
    vk::Buffer m_settings; ///< top-k (0: greedy), top-p, log of min-p, 1 / temperature
    vk::Buffer m_endIds;
    vk::Buffer m_counter; ///< drawCounter of the next step
    vk::Buffer m_results;
    vk::Buffer m_candidates;
    std::optional<vk::TexelView> m_settingTexels;
    std::optional<vk::TexelView> m_endTexels;
    const vk::ComputePipeline* m_pipeline = nullptr;
    std::optional<vk::BindingSet> m_set;
};

} // namespace engine
