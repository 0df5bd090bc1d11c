#include "app/compare/reuse_proof.h"

#include "app/conversation/workspace.h"

namespace app {

ReuseProof::ReuseProof(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::otherRunEvents, this, &ReuseProof::apply);
}

void ReuseProof::start(const engine::TokenIds& held, const engine::TokenIds& asked)
{
    cancel();
    m_ended = {};
    engine::GenerationRequest request;
    request.sampling.temperature = 0;
    for (size_t i = 0; i < m_runs.size(); ++i) {
        request.promptIds = i == 0 ? held : asked;
        request.lengthCap = i == 0 ? 1 : kTokens;
        request.reusesCache = i != 2;
        m_runs[i] = m_workspace.startRun(request);
    }
    m_isUnderWay = true;
    emit changed();
}

void ReuseProof::cancel()
{
    if (!m_isUnderWay)
        return;
    m_isUnderWay = false;
    for (engine::RunId run : m_runs)
        m_workspace.cancelRun(run);
}

std::optional<bool> ReuseProof::isSame() const
{
    // Where the held prompt was not read, the cache had nothing to give: that proves nothing.
    for (const auto& ended : m_ended)
        if (!ended || ended->ledger.error || ended->ledger.cancelledBy)
            return std::nullopt;
    return withReuse()->tokenIds == withoutReuse()->tokenIds;
}

void ReuseProof::apply(const std::vector<engine::GenerationEvent>& events)
{
    for (const engine::GenerationEvent& event : events)
        if (const auto* ended = std::get_if<engine::RunEnded>(&event))
            for (size_t i = 0; i < m_runs.size(); ++i)
                if (m_isUnderWay && ended->runId == m_runs[i]) {
                    m_ended[i] = *ended;
                    m_isUnderWay = i + 1 < m_runs.size();
                    emit changed();
                }
}

} // namespace app
