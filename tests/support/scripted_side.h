#pragma once

#include "engine/session/scripted_timeline.h"
#include "engine/session/side_by_side.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

namespace tests {

/// Sequences that answer from one script, with a cache that holds so many tokens in all.
class ScriptedSide : public engine::SideBySide {
public:
    ScriptedSide(const engine::Script& script, int count, int room, std::function<void()> beforePass = {})
        : m_room(room)
        , m_beforePass(std::move(beforePass))
    {
        for (int i = 0; i < count; ++i)
            m_timelines.emplace_back(script);
    }

    int count() const override { return int(m_timelines.size()); }
    engine::Timeline& timeline(int sequence) override { return m_timelines[size_t(sequence)]; }
    engine::Result<void> reserve(int sequence) override
    {
        int held = 0;
        for (const auto& timeline : m_timelines)
            held += timeline.tokenCount();
        m_reserved.push_back(sequence);
        if (held + int(m_reserved.size()) <= m_room)
            return {};
        m_reserved.pop_back();
        return engine::Error::outOfMemory("every page is held");
    }
    engine::Result<void> append(std::span<const Added> added) override
    {
        if (m_beforePass)
            m_beforePass();
        passSizes.push_back(int(added.size()));
        m_reserved.clear();
        for (const Added& one : added)
            TRY(m_timelines[size_t(one.sequence)].append(one.id));
        return {};
    }
    void release(int sequence) override { m_timelines[size_t(sequence)].dropFrom(0); }

    std::vector<int> passSizes; ///< how many sequences each pass had

private:
    std::deque<engine::ScriptedTimeline> m_timelines;
    int m_room;
    std::function<void()> m_beforePass;
    std::vector<int> m_reserved;
};

} // namespace tests
