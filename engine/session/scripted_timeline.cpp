#include "engine/session/scripted_timeline.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr float kNoChance = -40; // e^-40 times any vocabulary is nothing
}

Script Script::ofTokens(const TokenIds& ids, int vocabularySize)
{
    Script script { .vocabularySize = vocabularySize };
    for (TokenId id : ids)
        script.steps.push_back({ { id, 0 } });
    return script;
}

ScriptedTimeline::ScriptedTimeline(Script script)
    : m_script(std::move(script))
{
}

Result<SyncReport> ScriptedTimeline::sync(std::span<const TokenId> ids, const SyncControl& control)
{
    const int total = int(ids.size());
    if (total > m_script.contextLength)
        return Error::contextFull("the prompt needs " + std::to_string(total)
            + " positions, the context has " + std::to_string(m_script.contextLength));
    if (!control.reusesCache)
        m_tokens.clear();
    const auto firstMiss = std::mismatch(ids.begin(), ids.end(), m_tokens.begin(), m_tokens.end());
    const int common = int(firstMiss.first - ids.begin());

    SyncReport report;
    report.reusedTokens = std::min(common, total - 1); // the last position is computed always
    report.computedTokens = total - report.reusedTokens;
    if (common < total) {
        report.firstMissPosition = common;
        report.miss = common < tokenCount() ? CacheMiss::OtherToken : CacheMiss::EndOfCache;
        if (common < tokenCount())
            report.heldToken = m_tokens[size_t(common)];
        report.missCause = common < tokenCount() ? "another token" : "not read before";
    }
    m_tokens.resize(size_t(report.reusedTokens));
    while (tokenCount() < total) {
        if (control.cancelled && control.cancelled())
            return Error::cancelled("stopped while reading the prompt");
        const auto start = PassLog::Clock::now();
        const int first = tokenCount();
        const int end = std::min(total, first + m_script.chunkLength);
        m_tokens.assign(ids.begin(), ids.begin() + end);
        ++report.chunkCount;
        notePass(PassKind::Prefill, first, start);
        if (control.progress)
            control.progress(end, total, report.reusedTokens);
    }
    m_step = stepAfter(ids);
    score();
    return report;
}

Result<void> ScriptedTimeline::append(TokenId id)
{
    if (tokenCount() >= m_script.contextLength)
        return Error::contextFull(
            "the context of " + std::to_string(m_script.contextLength) + " positions is full");
    const auto start = PassLog::Clock::now();
    m_tokens.push_back(id);
    ++m_step;
    score();
    notePass(PassKind::Decode, tokenCount() - 1, start);
    return {};
}

/// Over all positions from the first one on.
void ScriptedTimeline::notePass(PassKind kind, int firstPosition, PassLog::Clock::time_point start)
{
    if (!m_passLog)
        return;
    RunPass pass;
    pass.kind = kind;
    pass.startMs = m_passLog->msAt(start);
    pass.hostMs = PassLog::msBetween(start, PassLog::Clock::now());
    pass.firstPosition = firstPosition;
    pass.positionCount = tokenCount() - firstPosition;
    m_passLog->add(pass);
}

void ScriptedTimeline::dropFrom(int position)
{
    m_tokens.resize(std::min(m_tokens.size(), size_t(std::max(position, 0))));
}

size_t ScriptedTimeline::stepAfter(std::span<const TokenId> ids) const
{
    for (size_t count = std::min(ids.size(), m_script.steps.size()); count > 0; --count) {
        const auto tail = ids.last(count);
        if (std::equal(
                tail.begin(), tail.end(), m_script.steps.begin(), [](TokenId id, const auto& step) {
                    return !step.empty() && id == step.front().id;
                }))
            return count;
    }
    return 0;
}

void ScriptedTimeline::score()
{
    m_logits.assign(size_t(m_script.vocabularySize), kNoChance);
    if (m_script.steps.empty())
        return;
    for (const ScriptedScore& scored : m_script.steps[std::min(m_step, m_script.steps.size() - 1)])
        if (scored.id >= 0 && scored.id < m_script.vocabularySize)
            m_logits[size_t(scored.id)] = scored.logprob;
}

} // namespace engine
