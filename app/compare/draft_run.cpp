#include "app/compare/draft_run.h"

namespace app {

namespace {
    std::vector<std::string> draftPieces(const DraftOrigin& origin)
    {
        std::vector<std::string> pieces;
        const engine::TokenIds& ids = origin.request.promptIds;
        const size_t count = std::min(ids.size(), size_t(std::max(0, origin.request.draftTokenCount)));
        if (!origin.modelText || !origin.modelText->tokenizer)
            return pieces;
        for (size_t i = ids.size() - count; i < ids.size(); ++i)
            pieces.push_back(origin.modelText->tokenizer->pieceBytes(ids[i]));
        return pieces;
    }

    /// Those that were recorded, or the model's own where its vocabulary is at hand.
    engine::TokenIds endTokenIds(const DraftOrigin& origin)
    {
        engine::TokenIds ids;
        for (const auto& [id, text] : origin.endTokenTexts)
            ids.push_back(id);
        if (ids.empty() && origin.modelText && origin.modelText->tokenizer)
            for (const engine::TokenId id : origin.modelText->tokenizer->vocabulary().endTokenIds())
                ids.push_back(id);
        return ids;
    }
}

ComparedRun comparedRun(const Draft& draft)
{
    const DraftOrigin& origin = draft.origin();
    ComparedRun run;
    run.modelName = origin.modelName;
    run.checkpointFile = origin.checkpointFile;
    if (origin.checkpointBytes > 0)
        run.checkpointBytes = origin.checkpointBytes;
    run.deviceName = origin.deviceName;
    run.templateFamily = origin.templateFamily;
    run.promptText = origin.promptText;
    run.request = origin.request;
    run.draftPieces = draftPieces(origin);
    run.tokens = draft.records();
    run.text = draft.text();
    run.endTokenIds = endTokenIds(origin);
    if (draft.ending())
        takeEnding(run, *draft.ending());
    return run;
}

ComparedRun comparedAnswer(const Answer& answer, const engine::ModelText* text)
{
    if (!answer.draft()) {
        ComparedRun run;
        run.text = answer.text();
        return run;
    }
    ComparedRun run = comparedRun(*answer.draft());
    run.text = answer.text();
    if (!answer.hasDetails())
        return run;
    KeptTokens all = answer.keptTokens(answer.draftIds().size());
    if (!text)
        text = answer.draft()->origin().modelText.get();
    for (engine::TokenRecord& token : all.records)
        if (token.bytes.empty() && text && text->tokenizer) // of an opening only the ids are known
            token.bytes = text->tokenizer->pieceBytes(token.id);
    engine::TokenIds promptIds = answer.promptIds();
    promptIds.resize(promptIds.size() - std::min(promptIds.size(), answer.opening().ids.size()));
    beginAtAnswer(run, std::move(promptIds), std::move(all));
    return run;
}

} // namespace app
