#include "engine/session/recorded_step.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace engine {

Result<std::unique_ptr<RecordedStep>> RecordedStep::create(DeviceModel& model, const TokenIds& endTokenIds)
{
    const PassBuffers& buffers = model.buffers();
    TRY_ASSIGN(ScanScores scan,
        ScanScores::create(
            model.kernels(), { .scores = buffers.logits, .scoreCount = model.config().vocabularySize }));
    TRY_ASSIGN(vk::Buffer readback,
        vk::Buffer::create(model.device(),
            { .bytes = uint64_t(ChooseToken::kSlots) * ChooseToken::kSlotBytes,
                .domain = vk::BufferDomain::Readback,
                .purpose = "chosen tokens for the host" }));
    TRY_ASSIGN(vk::Buffer candidateReadback,
        vk::Buffer::create(model.device(),
            { .bytes = ChooseToken::kCandidateSlotBytes,
                .domain = vk::BufferDomain::Readback,
                .purpose = "candidates for the host" }));
    std::vector<vk::Timestamps> spans;
    const bool isMarked = !model.device().capabilities().softwareDevice;
    for (uint32_t slot = 0; isMarked && slot < ChooseToken::kSlots; ++slot) {
        TRY_ASSIGN(vk::Timestamps span, vk::Timestamps::create(model.device(), 2));
        spans.push_back(std::move(span));
    }
    std::unique_ptr<RecordedStep> step(new RecordedStep(
        model, std::move(scan), std::move(readback), std::move(candidateReadback), std::move(spans)));
    TRY_ASSIGN(ChooseToken choose,
        ChooseToken::create(model.kernels(),
            { .scan = *step->m_scan, .rows = buffers.rows, .endTokenIds = endTokenIds }));
    step->m_choose = std::make_unique<ChooseToken>(std::move(choose));
    TRY_ASSIGN(step->m_choices, step->recordPair(0, false));
    if (model.forward().canStepWhole(1)) {
        TRY_ASSIGN(step->m_wholePasses, step->recordPair(1, true));
    }
    TRY_ASSIGN(step->m_candidateCopies, step->recordCandidateCopies());
    for (uint32_t splits = 1;; splits *= 2) {
        TRY_ASSIGN(Pair pair, step->recordPair(std::min(splits, buffers.splitCount), false));
        step->m_passes.push_back(std::move(pair));
        if (splits >= buffers.splitCount)
            return step;
    }
}

Result<RecordedStep::Pair> RecordedStep::recordPair(uint32_t splitCount, bool whole)
{
    Pair pair;
    for (uint32_t slot = 0; slot < ChooseToken::kSlots; ++slot) {
        TRY_ASSIGN(vk::Recorder recorder,
            vk::Recorder::create(m_model.device(), splitCount > 0 ? "decode step" : "choice of a token"));
        if (!m_spans.empty())
            recorder.startTimestamps(m_spans[slot]);
        if (splitCount > 0)
            m_model.forward().recordStep(recorder, splitCount, whole);
        m_scan->record(recorder);
        recorder.barrier();
        m_choose->record(recorder, slot);
        recorder.barrier();
        const uint64_t offset = uint64_t(slot) * ChooseToken::kSlotBytes;
        recorder.copy(m_choose->results(), m_readback, { offset, offset, sizeof(StepResult) });
        recorder.hostReadBarrier();
        if (!m_spans.empty())
            recorder.mark(m_spans[slot], "step");
        TRY_ASSIGN(vk::Recording recording, recorder.finish());
        pair.push_back(std::move(recording));
    }
    return pair;
}

Result<RecordedStep::Pair> RecordedStep::recordCandidateCopies()
{
    Pair pair;
    constexpr uint64_t kBytes = ChooseToken::kCandidateSlotBytes;
    for (uint32_t slot = 0; slot < ChooseToken::kSlots; ++slot) {
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_model.device(), "copy of candidates"));
        recorder.copy(m_choose->candidates(), m_candidateReadback, { .sourceOffset = slot * kBytes, .bytes = kBytes });
        recorder.hostReadBarrier();
        TRY_ASSIGN(vk::Recording recording, recorder.finish());
        pair.push_back(std::move(recording));
    }
    return pair;
}

Result<void> RecordedStep::warmUp(const std::function<bool()>& cancelled)
{
    const uint32_t firstPage = 0;
    m_model.buffers().rows.setTable(0, std::span(&firstPage, 1));
    const BatchRow row {};
    Batch batch;
    batch.rows.push_back(row);
    batch.scoredRows.push_back(0);
    // Other programs may be at work for a moment: the best of a few tells of the device.
    for (int i = 0; i < 3 && (i == 0 || !fitsSubmission()); ++i) {
        const Clock::time_point start = Clock::now();
        TRY(m_model.forward().run(batch, cancelled));
        observe(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    begin({ .temperature = 0 }, 0, row);
    TRY(submitChoice());
    return settle();
}

void RecordedStep::observe(double ms)
{
    // One slow step is no slow device, nor is a program that was stopped for a while.
    constexpr double kShare = 0.05;
    m_stepMs = ms < m_stepMs ? ms : m_stepMs + kShare * (std::min(ms, 4 * kMostStepMs) - m_stepMs);
}

void RecordedStep::begin(const SamplerSettings& settings, uint64_t drawStep, const BatchRow& lastRow)
{
    m_choose->begin(settings, drawStep);
    m_model.buffers().rows.setRows(std::span(&lastRow, 1));
    const uint32_t first = 0;
    m_model.buffers().rows.setScoredRows(std::span(&first, 1));
}

Result<void> RecordedStep::submitChoice() { return submit(m_choices, false, false); }

Result<void> RecordedStep::submitPass(uint32_t position)
{
    const uint32_t splits = position / kSplitPositions + 1;
    ForwardPass& forward = m_model.forward();
    if (!m_wholePasses.empty() && forward.canStepWhole(splits) && forward.meetsNext())
        return submit(m_wholePasses, true, true);
    return submit(m_passes[size_t(std::bit_width(splits - 1))], true, false);
}

Result<void> RecordedStep::submit(Pair& recordings, bool isPass, bool isWhole)
{
    const uint32_t slot = m_nextSlot;
    const Clock::time_point start = Clock::now();
    TRY_ASSIGN(vk::Submission submission, vk::Submission::create(m_model.device(), recordings[slot]));
    m_nextSlot = (slot + 1) % ChooseToken::kSlots;
    m_flights.push_back({ std::move(submission), slot, isPass, isWhole, start });
    return {};
}

std::vector<RecordedStep::Clock::time_point> RecordedStep::passesOnTheWay() const
{
    std::vector<Clock::time_point> starts;
    for (const Flight& flight : m_flights)
        if (flight.isPass)
            starts.push_back(std::max(flight.start, m_taken.end));
    return starts;
}

Result<StepResult> RecordedStep::take()
{
    Flight& flight = m_flights.front();
    TRY(flight.submission.wait());
    m_taken = { std::max(flight.start, m_taken.end), Clock::now() };
    if (flight.isPass) {
        const double ms = std::chrono::duration<double, std::milli>(m_taken.end - m_taken.start).count();
        observe(ms);
        m_model.forward().noteStep(ms, flight.isWhole);
    }
    m_takenSlot = flight.slot;
    m_flights.pop_front();
    StepResult result;
    std::memcpy(static_cast<void*>(&result), m_readback.mapped().data() + m_takenSlot * ChooseToken::kSlotBytes,
        sizeof result);
    return result;
}

std::optional<double> RecordedStep::takenDeviceMs() const
{
    if (m_spans.empty())
        return std::nullopt;
    const Result<std::vector<vk::TimedSpan>> spans = m_spans[m_takenSlot].read();
    return spans && !spans->empty() ? std::optional(spans->back().ms) : std::nullopt;
}

Result<std::vector<TokenScore>> RecordedStep::candidates()
{
    TRY(vk::runAndWait(m_model.device(), m_candidateCopies[m_takenSlot]));
    std::vector<TokenScore> candidates(kStepCandidates);
    std::memcpy(candidates.data(), m_candidateReadback.mapped().data(), ChooseToken::kCandidateSlotBytes);
    return candidates;
}

Result<void> RecordedStep::settle()
{
    while (!m_flights.empty()) {
        TRY(m_flights.front().submission.wait());
        m_flights.pop_front();
    }
    return {};
}

} // namespace engine
