#include "engine/session/stop_ledger.h"

#include <cmath>
#include <cstdio>

namespace engine {

namespace {
    std::string endTokenState(const StopConditions& now)
    {
        if (now.endTokenIndex)
            return (now.ignoresEndTokens ? "ignored, sampled last at token " : "sampled at token ")
                + std::to_string(*now.endTokenIndex + 1);
        if (!now.endProbability)
            return "not sampled";
        char text[64];
        std::snprintf(text, sizeof text, "not sampled; probability %.3g at the last token",
            double(*now.endProbability));
        return text;
    }

    std::string stopStringState(const StopConditions& now)
    {
        if (now.stopMatch)
            return "matched \"" + now.stopMatch->stopString + "\"";
        if (now.heldBytes > 0)
            return std::to_string(now.heldBytes) + " of " + std::to_string(now.heldFor.size())
                + " bytes of \"" + now.heldFor + "\"";
        if (now.stopStringCount == 0)
            return "none set";
        return "none of " + std::to_string(now.stopStringCount) + " begun";
    }

    std::string timeCapState(const StopConditions& now)
    {
        if (!now.timeCapMs)
            return "off";
        return std::to_string(std::lround(now.elapsedMs)) + " of " + std::to_string(*now.timeCapMs)
            + " ms";
    }

    std::string repetitionState(const StopConditions& now)
    {
        if (!now.repetitionGuard)
            return "off";
        const std::string needed = std::to_string(now.repetitionGuard->repeatCount) + " repeats";
        if (!now.nearestRepetition || now.nearestRepetition->count < 2)
            return "nothing repeats; " + needed + " of up to "
                + std::to_string(now.repetitionGuard->longestPeriod) + " tokens end it";
        return "period " + std::to_string(now.nearestRepetition->period) + ", "
            + std::to_string(now.nearestRepetition->count) + " of " + needed;
    }
}

Ledger makeLedger(StopReason reason, const StopConditions& now)
{
    Ledger ledger;
    ledger.reason = reason;
    ledger.tokenCount = now.tokenCount;
    ledger.lengthCap = now.lengthCap;
    ledger.contextUsed = now.contextUsed;
    ledger.contextLength = now.contextLength;
    ledger.repetition = now.nearestRepetition;
    if (now.tokenCount > 0)
        ledger.decidingTokenIndex = now.tokenCount - 1;
    if (now.stopMatch) {
        ledger.stopString = now.stopMatch->stopString;
        ledger.stopStringOffset = now.stopMatch->offset;
    }

    const bool endTokenHeld = !now.ignoresEndTokens && now.endTokenIndex && now.tokenCount > 0
        && *now.endTokenIndex == now.tokenCount - 1;
    const bool timeHeld = now.timeCapMs && now.elapsedMs >= double(*now.timeCapMs);
    const bool repetitionHeld = now.repetitionGuard && now.nearestRepetition
        && now.nearestRepetition->count >= now.repetitionGuard->repeatCount;
    ledger.entries = {
        { StopReason::EndToken, endTokenHeld, endTokenState(now) },
        { StopReason::StopString, now.stopMatch.has_value(), stopStringState(now) },
        { StopReason::LengthCap, now.tokenCount >= now.lengthCap,
            std::to_string(now.tokenCount) + " of " + std::to_string(now.lengthCap) },
        { StopReason::ContextFull, now.contextLength > 0 && now.contextUsed >= now.contextLength,
            "used " + std::to_string(now.contextUsed) + " of "
                + std::to_string(now.contextLength) },
        { StopReason::ThinkingCap, false, "off" },
        { StopReason::TimeCap, timeHeld, timeCapState(now) },
        { StopReason::Repetition, repetitionHeld, repetitionState(now) },
    };
    for (LedgerEntry& entry : ledger.entries)
        if (entry.reason == reason) {
            entry.held = true;
            return ledger;
        }
    ledger.entries.push_back({ reason, true, stopReasonInfo(reason).words });
    return ledger;
}

} // namespace engine
