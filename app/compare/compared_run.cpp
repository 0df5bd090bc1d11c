#include "app/compare/compared_run.h"

namespace app {

engine::TokenIds ComparedRun::newIds() const
{
    engine::TokenIds ids;
    for (const engine::TokenRecord& token : tokens)
        ids.push_back(token.id);
    return ids;
}

const engine::SamplerSettings* ComparedRun::samplingAt(size_t token) const
{
    const engine::SamplerSettings* found = request && choosers.empty() ? &request->sampling : nullptr;
    for (const KeptTokens::Run& chooser : choosers)
        if (size_t(chooser.firstToken) <= token)
            found = &chooser.sampling;
    return found;
}

engine::TokenIds ComparedRun::bannedIdsAt(size_t token) const
{
    if (choosers.empty())
        return request && token == 0 ? request->bannedFirstIds : engine::TokenIds();
    for (const KeptTokens::Run& chooser : choosers)
        if (size_t(chooser.firstToken) == token)
            return chooser.bannedFirstIds;
    return {};
}

ComparedRun comparedRun(const RunReading& reading, std::vector<engine::TokenRecord> tokens)
{
    ComparedRun run;
    run.modelName = reading.modelName;
    run.checkpointFile = reading.checkpointFile;
    if (reading.checkpointBytes > 0)
        run.checkpointBytes = reading.checkpointBytes;
    run.deviceName = reading.deviceName;
    run.templateFamily = reading.templateFamily;
    run.promptText = reading.promptText;
    run.request = reading.request;
    run.tokens = std::move(tokens);
    for (const auto& [id, text] : reading.endTokenTexts)
        run.endTokenIds.push_back(id);
    if (reading.ending) {
        takeEnding(run, *reading.ending);
        run.text = reading.ending->text;
    }
    return run;
}

void beginAtAnswer(ComparedRun& run, engine::TokenIds promptIds, KeptTokens all)
{
    run.request->lengthCap += int(all.records.size() - run.tokens.size());
    run.request->promptIds = std::move(promptIds);
    run.request->draftTokenCount = 0;
    run.draftPieces.clear();
    run.tokens = std::move(all.records);
    run.choosers = std::move(all.runs);
}

void beginAtAnswer(ComparedRun& run, const engine::Tokenizer* tokenizer)
{
    if (!run.request || run.request->draftTokenCount <= 0)
        return;
    engine::TokenIds promptIds = run.request->promptIds;
    const size_t givenCount = size_t(run.request->draftTokenCount);
    if (promptIds.size() < givenCount)
        return; // the record does not tell them
    const size_t start = promptIds.size() - givenCount;
    KeptTokens all;
    for (size_t i = start; i < promptIds.size(); ++i)
        all.records.push_back({ .id = promptIds[i],
            .bytes = tokenizer && tokenizer->vocabulary().contains(promptIds[i]) ? tokenizer->pieceBytes(promptIds[i])
                                                                                 : std::string(),
            .position = int(i) });
    all.records.insert(all.records.end(), run.tokens.begin(), run.tokens.end());
    all.runs.push_back({ int(givenCount), run.request->sampling, run.request->bannedFirstIds });
    promptIds.resize(start);
    beginAtAnswer(run, std::move(promptIds), std::move(all));
}

void takeEnding(ComparedRun& run, const engine::RunEnded& ending)
{
    run.reason = ending.ledger.reason;
    run.ledger = ending.ledger;
    if (run.ledger.contextLength > 0)
        run.contextLength = run.ledger.contextLength;
    run.timing = ending.timing;
}

bool isSameFile(const ComparedRun& a, const ComparedRun& b)
{
    return a.checkpointFile == b.checkpointFile && a.checkpointBytes == b.checkpointBytes;
}

} // namespace app
