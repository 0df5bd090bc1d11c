#include "app/compare/run_difference.h"

#include "app/compare/run_step.h"
#include "app/compare/what_if_stops.h"

#include <algorithm>
#include <cmath>

namespace app {

namespace {
    using engine::SamplerSettings;
    using engine::TokenId;
    using engine::TokenRecord;

    /// Nats. What one device computes differs from another by more; the same pass by nothing.
    constexpr float kSameScore = 1e-3f;

    bool hasSameScores(const TokenRecord& a, const TokenRecord& b)
    {
        // The twenty likeliest of both; a chosen one beyond them may be the twenty-first.
        const size_t count = std::min({ a.top.size(), b.top.size(), size_t(engine::kTopCandidateCount - 1) });
        for (size_t i = 0; i < count; ++i)
            if (std::abs(a.top[i].logprob - b.top[i].logprob) > kSameScore)
                return false;
        return count > 0;
    }

    /// The token that a's step gives under other settings; none: the record does not tell.
    std::optional<TokenId> chosenUnder(
        const ComparedRun& run, size_t token, const SamplerSettings& settings, uint64_t drawStep)
    {
        TracedStep step = stepOf(run, token);
        step.drawStep = drawStep;
        const StageTrace trace = traceStages(step, settings);
        if (trace.candidates.empty())
            return std::nullopt;
        if (trace.isGreedy)
            return trace.candidates.front().id;
        return trace.drawn ? std::optional(trace.candidates[*trace.drawn].id) : std::nullopt;
    }

    uint64_t drawStepOf(const ComparedRun& run, size_t token)
    {
        return uint64_t(run.request->draftTokenCount) + token;
    }

    void findChoice(const ComparedRun& a, const ComparedRun& b, RunDifference& difference)
    {
        const size_t token = difference.token;
        const TokenId wanted = b.tokens[token].id;
        const SamplerSettings& had = *a.samplingAt(token);
        const SamplerSettings& other = *b.samplingAt(token);
        const auto fields = differingFields(had, other);
        for (const SamplerField* field : fields) {
            SamplerSettings tried = had;
            field->take(tried, other);
            if (chosenUnder(a, token, tried, drawStepOf(a, token)) == wanted)
                difference.fields.push_back(field);
        }
        const auto isSeed = [](const SamplerField* field) { return std::string(field->name) == "seed"; };
        // Twenty candidates may be too few to draw again. Where nothing but the seed differs it is the cause all the same.
        if (difference.fields.empty() && fields.size() == 1 && isSeed(fields.front())
            && drawStepOf(a, token) == drawStepOf(b, token) && a.bannedIdsAt(token) == b.bannedIdsAt(token))
            difference.fields = fields;
        if (!difference.fields.empty()) {
            const bool isDraw = std::ranges::all_of(difference.fields, isSeed);
            difference.cause = isDraw ? PartingCause::Draw : PartingCause::Setting;
        } else if (chosenUnder(a, token, had, drawStepOf(b, token)) == wanted) {
            difference.cause = PartingCause::Draw; // drawn at another place of the same sequence
        } else if (chosenUnder(a, token, other, drawStepOf(b, token)) == wanted) {
            difference.cause = PartingCause::Settings;
            difference.fields = fields;
        }
    }

    /// shorter ended where longer went on.
    void findEnd(const ComparedRun& shorter, const ComparedRun& longer, RunDifference& difference)
    {
        difference.cause = PartingCause::End;
        if (!shorter.request || !longer.request)
            return;
        const StopWish had = stopWishOf(longer);
        const StopWish other = stopWishOf(shorter);
        const auto endsHere = [&](const StopWish& wish) {
            const auto outcome = whatIfStops(longer, wish);
            return outcome && outcome->reason == shorter.reason
                && outcome->tokenCount == int(shorter.tokens.size());
        };
        const auto attempt = [&](const char* name, auto StopWish::* setting) {
            StopWish tried = had;
            tried.*setting = other.*setting;
            if (!(tried == had) && endsHere(tried))
                difference.stopSettings.push_back(name);
        };
        attempt("length_cap", &StopWish::lengthCap);
        attempt("stop_strings", &StopWish::stopStrings);
        attempt("ignore_end_tokens", &StopWish::ignoreEndTokens);
        if (difference.stopSettings.empty() && !(had == other) && endsHere(other))
            difference.stopSettings = { "length_cap", "stop_strings", "ignore_end_tokens" };
    }

    std::optional<size_t> firstPromptDifference(const ComparedRun& a, const ComparedRun& b)
    {
        const engine::TokenIds& one = a.request->promptIds;
        const engine::TokenIds& other = b.request->promptIds;
        const auto [at, there] = std::ranges::mismatch(one, other);
        if (at == one.end() && there == other.end())
            return std::nullopt;
        return size_t(at - one.begin());
    }
}

const char* partingCauseName(PartingCause cause)
{
    switch (cause) {
    case PartingCause::Prompt:
        return "prompt";
    case PartingCause::PutIn:
        return "put_in";
    case PartingCause::Scores:
        return "scores";
    case PartingCause::Setting:
        return "setting";
    case PartingCause::Settings:
        return "settings";
    case PartingCause::Draw:
        return "draw";
    case PartingCause::End:
        return "end";
    case PartingCause::Unknown:
        break;
    }
    return "unknown";
}

bool isSameToken(const ComparedRun& a, const ComparedRun& b, size_t token)
{
    const TokenRecord& one = a.tokens[token];
    const TokenRecord& other = b.tokens[token];
    if (isSameFile(a, b) && one.id >= 0 && other.id >= 0)
        return one.id == other.id;
    const bool isControl = one.bytes.empty() || other.bytes.empty();
    return isControl ? one.id == other.id && one.bytes == other.bytes : one.bytes == other.bytes;
}

size_t commonTokens(const ComparedRun& a, const ComparedRun& b)
{
    const size_t most = std::min(a.tokens.size(), b.tokens.size());
    size_t count = 0;
    while (count < most && isSameToken(a, b, count))
        ++count;
    return count;
}

std::optional<RunDifference> differenceOf(const ComparedRun& a, const ComparedRun& b)
{
    RunDifference difference { .token = commonTokens(a, b) };
    const size_t token = difference.token;
    if (token == a.tokens.size() && token == b.tokens.size())
        return std::nullopt;
    if (token == a.tokens.size() || token == b.tokens.size()) {
        difference.isFirstShorter = token == a.tokens.size();
        const ComparedRun& shorter = difference.isFirstShorter ? a : b;
        findEnd(shorter, difference.isFirstShorter ? b : a, difference);
        return difference;
    }
    using enum engine::TokenSource;
    if (a.tokens[token].source != Sampled || b.tokens[token].source != Sampled) {
        difference.cause = PartingCause::PutIn;
        return difference;
    }
    if (!a.request || !b.request)
        return difference;
    if (!isSameFile(a, b)) {
        difference.cause = PartingCause::Scores;
        return difference;
    }
    if (difference.promptToken = firstPromptDifference(a, b); difference.promptToken) {
        difference.cause = PartingCause::Prompt;
        return difference;
    }
    if (a.tokens[token].top.empty() || b.tokens[token].top.empty() || !a.samplingAt(token) || !b.samplingAt(token))
        return difference;
    if (!hasSameScores(a.tokens[token], b.tokens[token]))
        difference.cause = PartingCause::Scores;
    else
        findChoice(a, b, difference);
    return difference;
}

} // namespace app
