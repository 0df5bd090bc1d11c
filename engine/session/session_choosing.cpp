#include "engine/session/session.h"

#include <algorithm>

namespace engine {

std::optional<std::string> Session::choosingObstacle(const SamplerSettings& settings) const
{
    if (!m_step)
        return "this sequence has no recorded step";
    if (m_model.forward().isTraced())
        return "the passes are measured operation by operation";
    if (!m_step->fitsSubmission())
        return "a pass takes longer than one submission may on this device";
    return ChooseToken::obstacle(settings);
}

Result<void> Session::beginChoosing(const ChoosingOptions& options)
{
    if (m_scoredIndex != 0 || m_blocks.tokenCount() == 0)
        return Error::badRequest("There are no scores to choose from: a sync must come first.");
    TRY(settle());
    // The last token's pass is done: the row only says which position comes next.
    m_step->begin(options.sampling, options.firstDrawStep, { 0, m_blocks.tokenCount() - 1, m_table });
    TRY(m_step->submitChoice());
    m_choosing.emplace(Choosing { .options = options });
    return {};
}

Result<StepResult> Session::nextToken()
{
    if (!m_choosing)
        return Error::badRequest("There is nothing to choose from: beginChoosing must come first.");
    Choosing& choosing = *m_choosing;
    const bool isAdding = choosing.tokenCount > 0;
    if (isAdding && m_step->isIdle())
        TRY(submitPass(1));
    // Here exactly the step that chooses the wanted token is on its way.
    if (choosing.options.looksAhead && choosing.tokenCount + 1 < choosing.options.mostTokens
        && m_step->fitsSubmission()) {
        Result<void> submitted = submitPass(isAdding ? 2 : 1);
        // Where the cache is full of what others hold, there is no looking ahead.
        if (!submitted && submitted.error().code != ErrorCode::OutOfMemory)
            return std::move(submitted.error());
    }
    TRY_ASSIGN(StepResult result, m_step->take());
    const BatchRow added { choosing.lastToken, m_blocks.tokenCount(), m_table };
    if (m_model.forward().hasMissedMeeting()) {
        TRY(repeatStep(result));
    } else if (isAdding && m_passLog) {
        notePass({ PassKind::Decode, m_step->takenSpan(), m_step->takenDeviceMs() }, std::span(&added, 1));
    }
    if (isAdding)
        m_blocks.commit(std::span(&choosing.lastToken, 1));
    if (result.isFinite() && result.isDoubtful())
        TRY(settleDoubt(result));
    choosing.lastToken = result.id;
    ++choosing.tokenCount;
    return result;
}

Result<void> Session::submitPass(uint32_t rowCount)
{
    const size_t pagesBefore = m_blocks.pages().size();
    TRY(m_blocks.reserve(rowCount));
    m_model.buffers().rows.setTable(m_table, m_blocks.pages(), pagesBefore);
    return m_step->submitPass(m_blocks.tokenCount() + rowCount - 1);
}

/// Computes anew what a missed meeting spoilt: the pass of the last token, and the choice after it.
Result<void> Session::repeatStep(StepResult& result)
{
    Choosing& choosing = *m_choosing;
    const uint64_t drawStep = choosing.options.firstDrawStep + uint64_t(choosing.tokenCount);
    const bool isAdding = choosing.tokenCount > 0;
    const BatchRow row { choosing.lastToken, m_blocks.tokenCount(), m_table };
    if (isAdding) {
        ++choosing.discardedPassCount;
        notePass({ PassKind::Discarded, m_step->takenSpan(), {} }, std::span(&row, 1));
    }
    discardAhead(row.position + (isAdding ? 1 : 0));
    TRY(m_step->settle());
    m_model.forward().noteMissedMeeting();
    if (!isAdding) { // there was no pass before this choice: only the one ahead is spoilt
        m_step->begin(choosing.options.sampling, drawStep + 1, { result.id, result.position, m_table });
        return {};
    }
    const auto start = RecordedStep::Clock::now();
    TRY(m_model.forward().run({ { row }, { 0 } }, {}));
    notePass({ PassKind::Decode, { start, RecordedStep::Clock::now() }, m_model.forward().deviceMs() },
        std::span(&row, 1));
    m_step->begin(choosing.options.sampling, drawStep, row);
    TRY(m_step->submitChoice());
    TRY_ASSIGN(result, m_step->take());
    return {};
}

/// Decides in double what floats could not; a pass that took the other token was in vain.
Result<void> Session::settleDoubt(StepResult& result)
{
    Choosing& choosing = *m_choosing;
    const uint64_t drawStep = choosing.options.firstDrawStep + uint64_t(choosing.tokenCount);
    const TokenId chosenThere = result.id;
    TRY_ASSIGN(const std::vector<TokenScore> candidates, m_step->candidates());
    decideDoubtful(result, candidates, choosing.options.sampling, drawStep);
    if (result.id == chosenThere)
        return {};
    discardAhead(m_blocks.tokenCount());
    TRY(m_step->settle());
    m_step->begin(choosing.options.sampling, drawStep + 1, { result.id, result.position, m_table });
    return {};
}

int Session::endChoosing()
{
    if (!m_choosing)
        return 0;
    discardAhead(m_blocks.tokenCount());
    const int discarded = m_choosing->discardedPassCount;
    m_choosing.reset();
    return discarded;
}

void Session::discardAhead(uint32_t position)
{
    for (const RecordedStep::Clock::time_point start : m_step->passesOnTheWay()) {
        const BatchRow row { 0, position++, m_table };
        notePass({ PassKind::Discarded, { start, start }, {} }, std::span(&row, 1));
        ++m_choosing->discardedPassCount;
    }
}

Result<void> Session::settle() { return m_step ? m_step->settle() : Result<void>(); }

} // namespace engine
