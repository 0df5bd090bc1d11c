#include "app/compare/run_step.h"

namespace app {

TracedStep stepOf(const ComparedRun& run, size_t token)
{
    TracedStep step { run.tokens[token], run.request->promptIds, uint64_t(run.request->draftTokenCount) + token, 0,
        run.bannedIdsAt(token) };
    for (size_t i = 0; i < token; ++i)
        step.before.push_back(run.tokens[i].id);
    return step;
}

} // namespace app
