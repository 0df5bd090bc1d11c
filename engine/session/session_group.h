#pragma once

#include "engine/session/session.h"
#include "engine/session/side_by_side.h"

#include <memory>
#include <vector>

namespace engine {

/// Sessions of one model that decode in step. They share pages with every session of the pool.
class SessionGroup : public SideBySide {
public:
    /// firstTable: of the model's block tables, of which the group takes one for each sequence.
    /// step: of the session beside them, which must have nothing on its way while they compute.
    SessionGroup(DeviceModel& model, PagePool& pool, const std::string& configuration,
        uint32_t firstTable, int count, RecordedStep& step);

    int count() const override { return int(m_sessions.size()); }
    Timeline& timeline(int sequence) override { return *m_sessions[size_t(sequence)]; }
    Result<void> reserve(int sequence) override;
    Result<void> append(std::span<const Added> added) override;
    void release(int sequence) override { m_sessions[size_t(sequence)]->release(); }

private:
    DeviceModel& m_model;
    RecordedStep& m_step;
    std::vector<std::unique_ptr<Session>> m_sessions;
};

} // namespace engine
