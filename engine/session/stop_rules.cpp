#include "engine/session/stop_rules.h"

#include <algorithm>

namespace engine {

StopRules::StopRules(StopSettings settings)
    : m_settings(std::move(settings))
    , m_release(m_settings.stopStrings)
{
    if (m_settings.repetitionGuard)
        m_guard.emplace(*m_settings.repetitionGuard);
}

std::string StopRules::take(std::span<const TokenId> newTokens, std::string_view pieceBytes)
{
    m_tokenCount = int(newTokens.size());
    if (m_guard)
        m_guard->note(newTokens);
    const bool isEnd = isEndToken(newTokens.back());
    if (isEnd)
        m_endTokenIndex = m_tokenCount - 1;
    if (isEnd && !m_settings.ignoreEndTokens)
        return {}; // the token that ends an answer is no part of its text
    TextRelease::Step released = m_release.push(pieceBytes);
    m_stopMatch = std::move(released.match);
    return std::move(released.text);
}

std::optional<StopReason> StopRules::reached(bool isTimeUp) const
{
    const bool isAtEndToken = m_tokenCount > 0 && m_endTokenIndex == m_tokenCount - 1;
    if (isAtEndToken && !m_settings.ignoreEndTokens)
        return StopReason::EndToken;
    if (m_stopMatch)
        return StopReason::StopString;
    if (m_tokenCount >= m_settings.lengthCap)
        return StopReason::LengthCap;
    if (m_settings.promptLength + m_tokenCount >= m_settings.contextLength)
        return StopReason::ContextFull;
    if (isTimeUp)
        return StopReason::TimeCap;
    if (m_guard && m_guard->holds())
        return StopReason::Repetition;
    return std::nullopt;
}

StopConditions StopRules::conditions() const
{
    StopConditions conditions {
        .endTokenIndex = m_endTokenIndex,
        .ignoresEndTokens = m_settings.ignoreEndTokens,
        .stopStringCount = m_settings.stopStrings.size(),
        .stopMatch = m_stopMatch,
        .heldBytes = m_release.heldText().size(),
        .heldFor = m_release.heldFor(),
        .tokenCount = m_tokenCount,
        .lengthCap = m_settings.lengthCap,
        .contextUsed = m_settings.promptLength + m_tokenCount,
        .contextLength = m_settings.contextLength,
        .repetitionGuard = m_settings.repetitionGuard,
    };
    if (m_guard)
        conditions.nearestRepetition = m_guard->nearest();
    return conditions;
}

bool StopRules::isEndToken(TokenId id) const
{
    const TokenIds& ids = m_settings.endTokenIds;
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

} // namespace engine
