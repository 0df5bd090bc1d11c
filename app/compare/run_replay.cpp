#include "app/compare/run_replay.h"

#include "app/compare/what_if_stops.h"
#include "app/runs/json_members.h"

#include <algorithm>
#include <span>

namespace app {

std::optional<RunReplay> replayOf(const ComparedRun& run)
{
    if (!run.request || run.request->promptIds.empty())
        return std::nullopt;
    engine::GenerationRequest request;
    request.runId = run.request->runId;
    request.sampling = run.request->sampling;
    request.promptIds = run.request->promptIds;
    request.draftTokenCount = run.request->draftTokenCount;
    request.bannedFirstIds = run.request->bannedFirstIds;
    request.ignoreEndTokens = true; // where it stopped is a question of its own
    RunReplay replay;
    for (size_t first = 0; first < run.tokens.size();) {
        size_t end = first; // of the forced tokens in front
        while (end < run.tokens.size() && run.tokens[end].source != engine::TokenSource::Sampled)
            ++end;
        size_t next = end;
        while (next < run.tokens.size() && run.tokens[next].source == engine::TokenSource::Sampled)
            ++next;
        request.forcedIds.clear();
        for (size_t i = first; i < end; ++i)
            request.forcedIds.push_back(run.tokens[i].id);
        request.lengthCap = int(next - first);
        replay.requests.push_back(request);
        replay.firstTokens.push_back(first);
        for (size_t i = first; i < next; ++i)
            request.promptIds.push_back(run.tokens[i].id);
        request.draftTokenCount += int(next - first);
        request.bannedFirstIds.clear();
        ++request.runId;
        first = next;
    }
    return replay;
}

std::optional<ReplayDifference> firstDifference(
    const ComparedRun& run, const std::vector<engine::TokenRecord>& replayed)
{
    for (size_t i = 0; i < run.tokens.size(); ++i) {
        if (i >= replayed.size())
            return ReplayDifference { i, run.tokens[i], {} };
        if (replayed[i].id != run.tokens[i].id)
            return ReplayDifference { i, run.tokens[i], replayed[i] };
    }
    return std::nullopt;
}

void takeDraftPieces(ComparedRun& run, const engine::Tokenizer& tokenizer)
{
    run.draftPieces.clear();
    if (!run.request || run.request->draftTokenCount <= 0
        || size_t(run.request->draftTokenCount) > run.request->promptIds.size())
        return;
    for (const engine::TokenId id : std::span(run.request->promptIds).last(size_t(run.request->draftTokenCount))) {
        if (!tokenizer.vocabulary().contains(id))
            return run.draftPieces.clear();
        run.draftPieces.push_back(tokenizer.pieceBytes(id));
    }
}

std::string contradictionOf(const ComparedRun& run)
{
    if (!run.reason || !run.request)
        return {};
    // A stop string may begin in the draft.
    if (!run.request->stopStrings.empty() && run.draftPieces.size() != size_t(std::max(0, run.request->draftTokenCount)))
        return {};
    const auto outcome = whatIfStops(run, stopWishOf(run));
    if (!outcome || outcome->reason == run.reason)
        return {};
    return std::string("the recorded reason ") + engine::stopReasonInfo(*run.reason).name
        + " does not follow from its tokens: "
        + (outcome->reason ? std::string("they end by ") + engine::stopReasonInfo(*outcome->reason).name
                           : std::string("nothing ends them"));
}

std::string vocabularyHashOf(const nlohmann::ordered_json& record)
{
    return textAt(memberAt(record, "tokenizer"), "vocabulary_sha256");
}

} // namespace app
