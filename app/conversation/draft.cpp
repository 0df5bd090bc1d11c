#include "app/conversation/draft.h"

#include <algorithm>

namespace app {

namespace {
    std::optional<double> perSecond(
        int count, std::optional<double> fromMs, std::optional<double> toMs)
    {
        if (count <= 0 || !fromMs || !toMs || *toMs <= *fromMs)
            return std::nullopt;
        return count * 1000.0 / (*toMs - *fromMs);
    }
}

std::string DraftOrigin::tokenText(engine::TokenId id) const
{
    if (const auto known = endTokenTexts.find(id); known != endTokenTexts.end())
        return known->second;
    if (!modelText || !modelText->tokenizer || !modelText->tokenizer->vocabulary().contains(id))
        return {};
    return modelText->tokenizer->pieceText(id);
}

Draft::Draft(DraftOrigin origin)
    : m_origin(std::move(origin))
{
    m_sinceSubmitted.start();
}

Draft::Draft(DraftOrigin origin, DraftRemains remains)
    : m_origin(std::move(origin))
    , m_state(DraftState::Ended)
    , m_ending(std::move(remains.ending))
    , m_text(std::move(remains.text))
    , m_hasDetails(false)
    , m_tokenCount(remains.tokenCount)
    , m_notSampledCount(remains.notSampledCount)
    , m_startedMs(remains.window.startedMs)
    , m_pauses(std::move(remains.window.pauses))
    , m_passes(std::move(remains.passes))
    , m_firstPaintMs(remains.window.firstPaintMs)
    , m_lastPaintMs(remains.window.lastPaintMs)
    , m_check(std::move(remains.check))
    , m_acceptance(std::move(remains.acceptance))
{
    m_origin.promptTimes = remains.window.prompt;
}

void Draft::setDetails(engine::TokenIds promptIds, std::string promptText,
    std::vector<engine::TokenRecord> records, KeptTokens kept)
{
    m_origin.kept = std::move(kept);
    m_origin.request.promptIds = std::move(promptIds);
    m_origin.promptText = std::move(promptText);
    m_records = std::move(records);
    m_tokenCount = int(m_records.size());
    m_notSampledCount = int(std::count_if(m_records.begin(), m_records.end(),
        [](const auto& record) { return record.source != engine::TokenSource::Sampled; }));
    m_hasDetails = true;
}

void Draft::apply(const engine::GenerationEvent& event)
{
    if (engine::runIdOf(event) != runId() || m_ending)
        return;
    if (const auto* queued = std::get_if<engine::RunQueued>(&event)) {
        m_queuedBehind = queued->before;
    } else if (const auto* progress = std::get_if<engine::PrefillProgress>(&event)) {
        if (!m_prefillStartMs)
            m_prefillStartMs = elapsedMs();
        m_prefill = *progress;
        m_prefill->passes.clear();
        addPasses(progress->passes);
        m_state = DraftState::Prefilling;
    } else if (const auto* token = std::get_if<engine::TokenDecoded>(&event)) {
        applyToken(*token);
    } else if (const auto* released = std::get_if<engine::TextReleased>(&event)) {
        m_text += released->text;
        m_heldText.clear();
        m_heldFor.clear();
    } else if (const auto* paused = std::get_if<engine::RunPaused>(&event)) {
        m_pauseCause = paused->cause;
        m_pauses.push_back({ m_tokenCount, elapsedMs() - m_startedMs.value_or(0), {} });
        m_queuedBehind = 0;
        m_state = DraftState::Paused;
    } else if (std::holds_alternative<engine::RunResumed>(event)) {
        endPause();
        m_state = DraftState::Writing;
    } else if (const auto* end = std::get_if<engine::RunEnded>(&event)) {
        if (m_state == DraftState::Paused)
            endPause();
        applyEnd(*end);
    }
}

void Draft::applyToken(const engine::TokenDecoded& token)
{
    // Whatever this token is, the draft goes on being partial.
    m_state = DraftState::Writing;
    m_lastTokenMs = elapsedMs();
    if (!m_firstTokenMs)
        m_firstTokenMs = m_lastTokenMs;
    m_records.push_back(token.record);
    addPasses(token.passes);
    if (m_startedMs)
        m_records.back().arrivedMs = *m_lastTokenMs - *m_startedMs;
    ++m_tokenCount;
    if (token.record.source != engine::TokenSource::Sampled)
        ++m_notSampledCount;
    m_text += token.text;
    m_heldText = token.heldText;
    m_heldFor = token.heldFor;
    m_waitingBytes = token.waitingBytes;
}

void Draft::endPause()
{
    if (!m_pauses.empty())
        m_pauses.back().endMs = elapsedMs() - m_startedMs.value_or(0);
}

/// Between the first token and this one.
double Draft::pausedMs(int beforeToken) const
{
    double sum = 0;
    for (const DraftPause& pause : m_pauses)
        if (pause.beforeToken > 0 && pause.beforeToken < beforeToken && pause.endMs)
            sum += *pause.endMs - pause.startMs;
    return sum;
}

void Draft::applyEnd(const engine::RunEnded& end)
{
    m_endedMs = elapsedMs();
    m_text = end.text;
    m_heldText.clear();
    m_heldFor.clear();
    m_waitingBytes = 0;
    m_state = DraftState::Ended;
    m_ending = end;
    m_ending->passes.clear();
    addPasses(end.passes);
}

engine::Verdict Draft::verdict() const
{
    return m_ending ? m_ending->verdict() : engine::Verdict::Partial;
}

std::optional<double> Draft::readRate() const
{
    if (m_ending && m_ending->timing.prefillEndMs)
        return perSecond(m_ending->cache.computedTokens, m_ending->timing.prefillStartMs,
            m_ending->timing.prefillEndMs);
    if (!m_prefill)
        return std::nullopt;
    return perSecond(m_prefill->done - m_prefill->reused, m_prefillStartMs,
        m_firstTokenMs ? *m_firstTokenMs
            : m_ending ? m_endedMs
                       : elapsedMs());
}

std::optional<double> Draft::writeRate() const
{
    // The first token comes out of the prefill pass: n tokens take n - 1 decode passes.
    if (m_ending && m_ending->timing.firstTokenMs && m_ending->timing.endedMs)
        return perSecond(tokenCount() - 1, m_ending->timing.firstTokenMs,
            *m_ending->timing.endedMs - pausedMs(tokenCount() + 1));
    if (!m_lastTokenMs)
        return std::nullopt;
    return perSecond(tokenCount() - 1, m_firstTokenMs, *m_lastTokenMs - pausedMs(tokenCount()));
}

std::optional<double> Draft::completionMs() const
{
    if (!m_ending)
        return std::nullopt;
    return m_ending->timing.endedMs ? m_ending->timing.endedMs : m_endedMs;
}

void Draft::notePainted()
{
    // One that was read back was painted by the program that wrote it.
    if (!m_sinceSubmitted.isValid() || m_paintedBytes == m_text.size())
        return;
    m_paintedBytes = m_text.size();
    m_lastPaintMs = elapsedMs();
    if (!m_firstPaintMs)
        m_firstPaintMs = m_lastPaintMs;
}

} // namespace app
