#pragma once

#include "engine/model/device_model.h"
#include "engine/sampling/choose_token.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/timestamps.h"

#include <array>
#include <chrono>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

namespace engine {

/// A decode step recorded once and submitted for every token: the pass over the row that the step
/// before it left on the device, and the choice of the next token. Up to two are on their way at
/// once. There are two recordings (for steps in turn) where a layer is one dispatch, and two for each
/// power of two of attention splits where it is not, all made at load: a step allocates nothing and writes no descriptor. Inference thread.
class RecordedStep {
public:
    static Result<std::unique_ptr<RecordedStep>> create(DeviceModel& model, const TokenIds& endTokenIds);
    /// Chooses once on made-up scores, so that the driver compiles the kernels, and measures a step.
    Result<void> warmUp(const std::function<bool()>& cancelled);

    /// Whether a step is short enough to be one submission, and a second one behind it: a cancel
    /// waits for both.
    bool fitsSubmission() const { return m_stepMs <= kMostStepMs; }
    /// How long one more pass over one row took, here or elsewhere.
    void observe(double ms);

    /// Sets what steps go on from: the row of the last token computed, and the next draw. Nothing
    /// may be on its way.
    void begin(const SamplerSettings& settings, uint64_t drawStep, const BatchRow& lastRow);
    /// Chooses from the scores of the last pass, without a pass.
    Result<void> submitChoice();
    /// A pass over the token chosen before, and a choice from its scores. position: of that token,
    /// whose page stands in the block table.
    Result<void> submitPass(uint32_t position);

    using Clock = std::chrono::steady_clock;
    /// A submission as the host saw it: from when it was made, or the one before it taken.
    struct Span {
        Clock::time_point start;
        Clock::time_point end;
    };

    /// When each pass was submitted that is not yet taken, oldest first.
    std::vector<Clock::time_point> passesOnTheWay() const;
    /// Of the submission last taken.
    const Span& takenSpan() const { return m_taken; }
    /// Of the same on the device, until the next is submitted; none without time marks. The software
    /// device has none here: two marks cost it 1 % of a step, and host and device are one there.
    std::optional<double> takenDeviceMs() const;
    bool isIdle() const { return m_flights.empty(); }
    /// Waits for the oldest submission and reads what it chose.
    Result<StepResult> take();
    /// Candidates of the step last taken. Waits for what is on its way; a rare read.
    Result<std::vector<TokenScore>> candidates();
    /// Waits for all that is on its way and forgets it.
    Result<void> settle();

private:
    static constexpr double kMostStepMs = 100;
    struct Flight {
        vk::Submission submission;
        uint32_t slot = 0;
        bool isPass = false;
        bool isWhole = false; ///< a pass whose layers are one dispatch each
        Clock::time_point start;
    };
    using Pair = std::vector<vk::Recording>; ///< [ChooseToken::kSlots]

    RecordedStep(DeviceModel& model, ScanScores scan, vk::Buffer readback, vk::Buffer candidateReadback,
        std::vector<vk::Timestamps> spans)
        : m_model(model)
        , m_spans(std::move(spans))
        , m_scan(std::make_unique<ScanScores>(std::move(scan)))
        , m_readback(std::move(readback))
        , m_candidateReadback(std::move(candidateReadback))
    {
    }
    /// splitCount 0: no pass.
    Result<Pair> recordPair(uint32_t splitCount, bool whole);
    Result<Pair> recordCandidateCopies();
    Result<void> submit(Pair& recordings, bool isPass, bool isWhole);

    DeviceModel& m_model;
    std::vector<vk::Timestamps> m_spans; ///< [ChooseToken::kSlots], start and end of a step; or none
    std::unique_ptr<ScanScores> m_scan; ///< stays where m_choose refers to it
    std::unique_ptr<ChooseToken> m_choose;
    vk::Buffer m_readback; ///< [kSlots] StepResult
    vk::Buffer m_candidateReadback; ///< [kStepCandidates] TokenScore
    Pair m_choices;
    Pair m_candidateCopies;
    Pair m_wholePasses; ///< for any number of splits, where workgroups meet; else empty
    std::vector<Pair> m_passes; ///< for 1, 2, 4, ... splits
    uint32_t m_nextSlot = 0;
    uint32_t m_takenSlot = 0;
    Span m_taken;
    double m_stepMs = std::numeric_limits<double>::infinity(); ///< near the shortest seen lately
    std::deque<Flight> m_flights; ///< oldest first; destroyed, and so waited for, before the rest
};

} // namespace engine
