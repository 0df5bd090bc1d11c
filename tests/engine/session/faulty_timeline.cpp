#include "tests/engine/session/faulty_timeline.h"

#include <limits>

using namespace engine;

namespace tests {

Result<SyncReport> FaultyTimeline::sync(std::span<const TokenId> ids, const SyncControl& control)
{
    if (syncError) {
        Error error = *syncError;
        syncError.reset();
        return error;
    }
    TRY_ASSIGN(SyncReport report, m_script.sync(ids, control));
    copyLogits();
    return report;
}

Result<void> FaultyTimeline::append(TokenId id)
{
    if (beforeAppend)
        beforeAppend();
    if (const auto fault = appendErrors.extract(tokenCount()))
        return fault.mapped();
    TRY(m_script.append(id));
    copyLogits();
    return {};
}

void FaultyTimeline::dropFrom(int position)
{
    drops.push_back(position);
    m_script.dropFrom(position);
}

void FaultyTimeline::copyLogits()
{
    m_logits.assign(m_script.logits().begin(), m_script.logits().end());
    if (notFiniteAt.erase(tokenCount()))
        m_logits[m_logits.size() / 2] = std::numeric_limits<float>::quiet_NaN();
}

} // namespace tests
