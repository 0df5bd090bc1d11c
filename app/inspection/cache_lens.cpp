#include "app/inspection/cache_lens.h"

#include "app/inspection/prompt_difference.h"
#include "app/inspection/prompt_place.h"

#include <algorithm>

namespace app {

namespace {
    using engine::CacheMiss;

    /// Every id that was on the run's timeline.
    engine::TokenIds timelineOf(const Draft& run)
    {
        engine::TokenIds ids = run.origin().request.promptIds;
        for (const engine::TokenRecord& record : run.records())
            ids.push_back(record.id);
        return ids;
    }

    size_t commonCount(const engine::TokenIds& a, const engine::TokenIds& b)
    {
        return size_t(std::ranges::mismatch(a, b).in1 - a.begin());
    }

    std::string written(const engine::ModelText* model, std::optional<engine::TokenId> id)
    {
        const bool isKnown = id && model && model->tokenizer && model->tokenizer->vocabulary().contains(*id);
        return isKnown ? model->tokenizer->pieceText(*id) : std::string();
    }

    MissReason reasonOf(const Draft& run, const Draft* before, const CacheLens& lens)
    {
        const engine::CacheUse& use = run.ending()->cache;
        if (use.miss == CacheMiss::NoRoom)
            return MissReason::NoRoom;
        if (use.miss == CacheMiss::GaveWay)
            return MissReason::GaveWay;
        const DraftOrigin& now = run.origin();
        if (use.miss == CacheMiss::NothingHeld) {
            if (before && (before->origin().checkpointFile != now.checkpointFile
                    || before->origin().checkpointBytes != now.checkpointBytes))
                return MissReason::OtherModel;
            if (before && !before->origin().kvType.empty() && before->origin().kvType != now.kvType)
                return MissReason::OtherKvType;
            return MissReason::NothingHeld;
        }
        if (!before || !before->hasDetails() || !run.hasDetails())
            return use.miss == CacheMiss::EndOfCache ? MissReason::GoesOn : MissReason::NotKnown;
        const engine::TokenIds had = timelineOf(*before);
        const size_t common = commonCount(now.request.promptIds, had);
        const auto position = size_t(lens.position);
        // Its last token needed no pass of its own: it was never in the cache.
        if (common > position && position + 1 < had.size())
            return use.miss == CacheMiss::OtherToken || use.miss == CacheMiss::EndOfCache
                ? MissReason::GaveWay
                : MissReason::NotKnown;
        if (use.miss == CacheMiss::EndOfCache)
            return MissReason::GoesOn;
        if (common != position || (lens.heldId && (position >= had.size() || had[position] != *lens.heldId)))
            return MissReason::NotKnown; // the cache held another text there
        if (before->origin().templateFamily != now.templateFamily)
            return MissReason::OtherTemplate;
        if (before->origin().droppedTurnCount != now.droppedTurnCount)
            return MissReason::TurnsLeftOut;
        return differenceOf(run, *before, position);
    }
}

const Draft* runToCompare(const TurnTree& tree, const Draft& run)
{
    const Draft* best = nullptr;
    size_t bestCount = 0;
    for (const auto& turn : tree.turns()) {
        if (!turn->answer)
            continue;
        for (const auto& part : turn->answer->parts()) {
            if (part->runId() >= run.runId())
                continue;
            const size_t count = part->hasDetails()
                ? commonCount(run.origin().request.promptIds, timelineOf(*part))
                : 0;
            if (best && (count < bestCount || (count == bestCount && part->runId() < best->runId())))
                continue;
            best = part.get();
            bestCount = count;
        }
    }
    return best;
}

std::optional<CacheLens> cacheLens(
    const Draft& run, const Draft* before, const engine::ModelText* fallback)
{
    if (!run.ending() || !run.ending()->cache.firstMissPosition)
        return std::nullopt;
    CacheLens lens { .position = *run.ending()->cache.firstMissPosition };
    const engine::ModelText* model = run.origin().modelText ? run.origin().modelText.get() : fallback;
    const engine::TokenIds& ids = run.origin().request.promptIds;
    if (size_t(lens.position) < ids.size())
        lens.wantedId = ids[size_t(lens.position)];
    lens.heldId = run.ending()->cache.heldToken;
    lens.wanted = written(model, lens.wantedId);
    lens.held = written(model, lens.heldId);
    lens.reason = reasonOf(run, before, lens);
    return lens;
}

} // namespace app
