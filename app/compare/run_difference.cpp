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

    uint64_t drawStepOf(const ComparedRun& run, size_t token)
    {
        return uint64_t(run.request->draftTokenCount) + token;
    }

    /// What a step is tried with.
    struct Trial {
        SamplerSettings settings;
        uint64_t drawStep = 0;
        engine::TokenIds bannedIds;
    };

    Trial trialOf(const ComparedRun& run, size_t token)
    {
        return { *run.samplingAt(token), drawStepOf(run, token), run.bannedIdsAt(token) };
    }

    /// The token that the run's step gives in a trial; none: the record does not tell.
    std::optional<TokenId> chosenIn(const ComparedRun& run, size_t token, const Trial& trial)
    {
        TracedStep step = stepOf(run, token);
        step.drawStep = trial.drawStep;
        step.bannedIds = trial.bannedIds;
        const StageTrace trace = traceStages(step, trial.settings);
        if (trace.isGreedy)
            return trace.certainCount > 0 ? std::optional(trace.candidates.front().id) : std::nullopt;
        return trace.drawn ? std::optional(trace.candidates[*trace.drawn].id) : std::nullopt;
    }

    bool isSeed(const SamplerField* field) { return std::string(field->name) == "seed"; }

    void findChoice(const ComparedRun& a, const ComparedRun& b, RunDifference& difference)
    {
        const size_t token = difference.token;
        const TokenId wanted = b.tokens[token].id;
        const Trial had = trialOf(a, token);
        const Trial other = trialOf(b, token);
        bool isTold = true; // twenty candidates may be too few to choose again
        const auto makes = [&](const Trial& trial) {
            const std::optional<TokenId> chosen = chosenIn(a, token, trial);
            isTold = isTold && chosen;
            return chosen == wanted;
        };
        const auto fields = differingFields(had.settings, other.settings);
        const bool isSamePlace = had.drawStep == other.drawStep;
        if (had.bannedIds != other.bannedIds) {
            Trial banned = had;
            banned.bannedIds = other.bannedIds;
            Trial back = other;
            back.bannedIds = had.bannedIds;
            // Where nothing else differs it is the cause, whatever the candidates tell.
            if ((fields.empty() && isSamePlace) || makes(banned) || chosenIn(b, token, back) == a.tokens[token].id) {
                difference.cause = PartingCause::Ban;
                return;
            }
        }
        for (const SamplerField* field : fields) {
            Trial tried = had;
            field->take(tried.settings, other.settings);
            if (makes(tried))
                difference.fields.push_back(field);
        }
        // The same goes for the seed.
        if (difference.fields.empty() && fields.size() == 1 && isSeed(fields.front()) && isSamePlace
            && had.bannedIds == other.bannedIds)
            difference.fields = fields;
        Trial moved = had;
        moved.drawStep = other.drawStep;
        if (!difference.fields.empty()) {
            const bool isDraw = std::ranges::all_of(difference.fields, isSeed);
            difference.cause = isDraw ? PartingCause::Draw : PartingCause::Setting;
        } else if (makes(moved)) {
            difference.cause = PartingCause::Draw; // drawn at another place of the same sequence
        } else if (makes(other)) {
            difference.cause = PartingCause::Settings;
            difference.fields = fields;
        } else if (isTold) {
            difference.cause = PartingCause::Unexplained;
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
    case PartingCause::Ban:
        return "ban";
    case PartingCause::Setting:
        return "setting";
    case PartingCause::Settings:
        return "settings";
    case PartingCause::Draw:
        return "draw";
    case PartingCause::End:
        return "end";
    case PartingCause::Unexplained:
        return "unexplained";
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
