#include "app/compare/what_if_stops.h"

#include "engine/session/stop_rules.h"

#include <limits>

namespace app {

namespace {
    using engine::StopReason;

    bool isByTokens(StopReason reason)
    {
        switch (reason) {
        case StopReason::EndToken:
        case StopReason::StopString:
        case StopReason::LengthCap:
        case StopReason::ContextFull:
        case StopReason::Repetition:
            return true;
        default:
            return false;
        }
    }

    /// What ends a run that never chooses a token.
    std::optional<StopReason> reasonBeforeTokens(const ComparedRun& run, const StopWish& wish)
    {
        if (run.tokens.empty() && run.reason && !isByTokens(*run.reason))
            return run.reason;
        if (wish.lengthCap == 0)
            return StopReason::LengthCap;
        if (run.contextLength && int(run.request->promptIds.size()) >= *run.contextLength)
            return StopReason::ContextFull;
        return std::nullopt;
    }

    engine::StopSettings settingsOf(const ComparedRun& run, const StopWish& wish)
    {
        return {
            .stopStrings = wish.stopStrings,
            .lengthCap = wish.lengthCap,
            .ignoreEndTokens = wish.ignoreEndTokens,
            .repetitionGuard = run.request->repetitionGuard,
            .endTokenIds = run.endTokenIds,
            .promptLength = int(run.request->promptIds.size()),
            .contextLength = run.contextLength.value_or(std::numeric_limits<int>::max()),
        };
    }
}

StopWish stopWishOf(const ComparedRun& run)
{
    return { run.request->lengthCap, run.request->stopStrings, run.request->ignoreEndTokens };
}

engine::Verdict StopOutcome::verdict() const
{
    return reason ? engine::stopReasonInfo(*reason).verdict : engine::Verdict::Partial;
}

std::optional<StopOutcome> whatIfStops(const ComparedRun& run, const StopWish& wish)
{
    if (!run.request || run.request->promptIds.empty())
        return std::nullopt;
    engine::StopRules rules(settingsOf(run, wish));
    for (const std::string& piece : run.draftPieces)
        rules.continueFrom(piece);
    const engine::TokenIds ids = run.newIds();
    StopOutcome outcome;
    outcome.reason = reasonBeforeTokens(run, wish);
    while (!outcome.reason && size_t(outcome.tokenCount) < ids.size()) {
        const size_t count = size_t(++outcome.tokenCount);
        outcome.text += rules.take(std::span(ids).first(count), run.tokens[count - 1].bytes);
        outcome.reason = rules.reached(false);
    }
    if (!outcome.reason && run.reason && !isByTokens(*run.reason))
        outcome.reason = run.reason;
    engine::StopConditions conditions = rules.conditions();
    if (outcome.tokenCount > 0)
        conditions.endProbability = run.tokens[size_t(outcome.tokenCount) - 1].endProbability;
    if (outcome.reason) {
        outcome.ledger = engine::makeLedger(*outcome.reason, conditions);
        if (outcome.reason == StopReason::EndToken)
            outcome.ledger.endTokenId = ids[size_t(outcome.tokenCount) - 1];
        outcome.text += rules.finish();
    } else {
        outcome.heldText = rules.release().heldText();
    }
    return outcome;
}

} // namespace app
