#include "app/inspection/token_numbers.h"

#include "engine/tokenizer/utf8.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace app {

namespace {
    std::optional<double> widened(const auto& value)
    {
        return value ? std::optional(double(*value)) : std::nullopt;
    }

    bool isEndToken(const Draft& draft, engine::TokenId id)
    {
        if (draft.origin().endTokenTexts.contains(id))
            return true;
        if (draft.ending() && draft.ending()->ledger.endTokenId == id)
            return true;
        const engine::ModelText* text = draft.origin().modelText.get();
        return text && text->tokenizer && text->tokenizer->vocabulary().isEndToken(id);
    }

    bool meets(const TokenTrack& track, int token, const InterestRule& rule)
    {
        const engine::TokenRecord* record = track.record(token);
        const std::optional<double> value = tokenNumber(record, rule.number);
        if (!value || (rule.isAtLeast ? *value < rule.threshold : *value > rule.threshold))
            return false;
        return rule.kind != Interest::NearStop || !isEndToken(*track.modelRunOf(token), record->id);
    }

    bool isLoneByte(const TrackToken& token)
    {
        return engine::validUtf8Prefix(token.bytes) != token.bytes.size();
    }
}

std::optional<double> tokenNumber(const engine::TokenRecord* record, TokenNumber number)
{
    if (!record)
        return std::nullopt;
    switch (number) {
    case TokenNumber::Probability:
        return record->logprob ? std::optional(std::exp(double(*record->logprob))) : std::nullopt;
    case TokenNumber::Surprisal:
        return record->logprob ? std::optional(std::max(0.0, -double(*record->logprob)))
                               : std::nullopt;
    case TokenNumber::Entropy:
        return widened(record->entropy);
    case TokenNumber::Rank:
        return widened(record->rank);
    case TokenNumber::EndProbability:
        return widened(record->endProbability);
    case TokenNumber::TopGap:
        if (record->top.size() < 2)
            return std::nullopt;
        return std::exp(double(record->top[0].logprob)) - std::exp(double(record->top[1].logprob));
    }
    return std::nullopt;
}

double bitsOf(double nats) { return nats / std::numbers::ln2; }

bool isInteresting(const TokenTrack& track, int token, Interest kind)
{
    const bool isAny = kind == Interest::Any;
    if ((isAny || kind == Interest::LoneByte) && isLoneByte(track.tokens()[size_t(token)])
        && token >= track.promptCount())
        return true;
    return std::ranges::any_of(kInterestRules, [&](const InterestRule& rule) {
        return (isAny || rule.kind == kind) && meets(track, token, rule);
    });
}

std::optional<int> nextInteresting(const TokenTrack& track, int from, Interest kind, int direction)
{
    const int count = int(track.tokens().size());
    for (int token = from + direction; token >= 0 && token < count; token += direction)
        if (isInteresting(track, token, kind))
            return token;
    return std::nullopt;
}

} // namespace app
