#include "app/compare/compared_run.h"

#include <algorithm>

namespace app {

engine::TokenIds ComparedRun::newIds() const
{
    engine::TokenIds ids;
    for (const engine::TokenRecord& token : tokens)
        ids.push_back(token.id);
    return ids;
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
    if (!reading.ending)
        return run;
    run.reason = reading.ending->ledger.reason;
    run.ledger = reading.ending->ledger;
    if (run.ledger.contextLength > 0)
        run.contextLength = run.ledger.contextLength;
    run.text = reading.ending->text;
    run.timing = reading.ending->timing;
    return run;
}

bool isEndToken(const ComparedRun& run, engine::TokenId id)
{
    return std::ranges::find(run.endTokenIds, id) != run.endTokenIds.end();
}

} // namespace app
