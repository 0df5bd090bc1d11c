#include "app/conversation/draft_record.h"

namespace app {

nlohmann::ordered_json recordOf(RunRecord opened, const Draft& draft)
{
    engine::PrefillProgress passes;
    passes.passes = draft.passes();
    opened.apply(passes);
    for (size_t i = 0; i < draft.pauses().size(); ++i)
        opened.apply(engine::RunPaused {});
    for (const engine::TokenRecord& token : draft.records()) {
        engine::TokenDecoded decoded;
        decoded.record = token;
        opened.apply(decoded);
    }
    if (draft.ending())
        opened.apply(*draft.ending());
    else
        opened.apply(engine::TextReleased { draft.runId(), draft.text() });
    opened.setWindowTimes(draft.windowTimes());
    if (draft.check())
        opened.setRequirementCheck(toJson(*draft.check()));
    if (draft.acceptance())
        opened.setAccepted(toJson(*draft.acceptance()));
    return opened.json();
}

} // namespace app
