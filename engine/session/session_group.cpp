#include "engine/session/session_group.h"

namespace engine {

SessionGroup::SessionGroup(DeviceModel& model, PagePool& pool, const std::string& configuration,
    uint32_t firstTable, int count, RecordedStep& step)
    : m_model(model)
    , m_step(step)
{
    for (int i = 0; i < count; ++i)
        m_sessions.push_back(
            std::make_unique<Session>(model, pool, configuration, firstTable + uint32_t(i)));
}

Result<void> SessionGroup::reserve(int sequence)
{
    return m_sessions[size_t(sequence)]->reserveNext();
}

Result<void> SessionGroup::append(std::span<const Added> added)
{
    TRY(m_step.settle());
    const auto start = RecordedStep::Clock::now();
    Batch batch;
    for (const Added& one : added) {
        TRY_ASSIGN(const BatchRow row, m_sessions[size_t(one.sequence)]->nextRow(one.id));
        batch.scoredRows.push_back(uint32_t(batch.rows.size()));
        batch.rows.push_back(row);
    }
    TRY(m_model.forward().run(batch, {}));
    const RecordedStep::Span span { start, RecordedStep::Clock::now() };
    for (size_t i = 0; i < added.size(); ++i)
        m_sessions[size_t(added[i].sequence)]->takeComputed(added[i].id, uint32_t(i), span, batch.rows);
    return {};
}

} // namespace engine
