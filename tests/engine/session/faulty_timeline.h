#pragma once

#include "engine/session/scripted_timeline.h"

#include <functional>
#include <map>
#include <set>

namespace tests {

/// A scripted timeline on which things go wrong at chosen places, and which tells when it is asked.
class FaultyTimeline : public engine::Timeline {
public:
    explicit FaultyTimeline(engine::Script script)
        : m_script(std::move(script))
    {
    }

    std::optional<engine::Error> syncError; ///< returned by sync once
    std::map<int, engine::Error> appendErrors; ///< by token count before the append; once each
    std::set<int> notFiniteAt; ///< token counts whose scores are NaN; once each
    std::function<void()> beforeAppend; ///< for instance a pause or a cancel

    engine::Result<engine::SyncReport> sync(
        std::span<const engine::TokenId> ids, const engine::SyncControl& control) override;
    engine::Result<void> append(engine::TokenId id) override;
    std::span<const float> logits() const override { return m_logits; }
    void dropFrom(int position) override;
    int tokenCount() const override { return m_script.tokenCount(); }
    int contextLength() const override { return m_script.contextLength(); }

    std::vector<int> drops; ///< positions that dropFrom was called with

private:
    void copyLogits();

    engine::ScriptedTimeline m_script;
    std::vector<float> m_logits;
};

} // namespace tests
