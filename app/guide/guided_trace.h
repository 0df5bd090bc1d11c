#pragma once

#include "app/guide/trace_script.h"
#include "engine/session/stop_rules.h"

namespace app {

/// One pass of a traced run.
struct TracedPass {
    std::vector<std::string> input; ///< everything the model has at this step, in units
    int firstComputed = 0; ///< position of the first unit that this pass computes
    int computedCount = 0; ///< positions computed: the whole prompt, then one a pass
    int cacheAfter = 0; ///< positions that the KV cache holds after it
    std::string selected; ///< chosen from the scores at the last position; no position of this pass
    bool isEnd = false; ///< the selected unit ends the run and is no text

    bool operator==(const TracedPass&) const = default;
};

/// What is asked at the moment. The answer is given out when the person has given one.
struct TraceAsked {
    std::string ask;
    TraceTool opens = TraceTool::None;
    std::optional<std::string> given;
    std::optional<std::string> answer;
    bool hasNext = false; ///< another question waits at this place

    bool operator==(const TraceAsked&) const = default;
};

/// A walk through a script, pass by pass. What ends it are the rules that end every run
/// (engine::StopRules). Units that are not selected yet cannot be had from it.
class GuidedTrace {
public:
    /// lengthCap: instead of the script's, which is the most.
    explicit GuidedTrace(TraceScript script, std::optional<int> lengthCap = {});

    const std::string& title() const { return m_script.title; }
    const std::vector<std::string>& prompt() const { return m_script.prompt; }
    int lengthCap() const { return m_lengthCap; }
    const std::vector<TracedPass>& passes() const { return m_passes; }
    /// Released text of the selected units.
    const std::string& text() const { return m_text; }
    /// Text that is held back because the stop string may be coming; "" = none.
    std::string heldText() const
    {
        return m_reason ? std::string() : std::string(m_rules.release().heldText());
    }
    const std::string& stopString() const { return m_script.stopString; }
    /// None while it goes on.
    std::optional<engine::StopReason> reason() const { return m_reason; }
    /// Passes go on when nothing is asked, no other question waits here, and nothing has ended it.
    bool canStep() const { return !m_reason && !isWaiting() && !questionHere() && hasChoice(); }
    /// One pass. Only when canStep().
    void step();

    /// The question after the last pass that waits, or the last one that was answered there.
    std::optional<TraceAsked> asked() const;
    bool isWaiting() const;
    /// What the person thinks; "" is no answer. Only when isWaiting().
    void give(const std::string& answer);
    /// On to the next question of this place.
    void nextQuestion();

    int computedWithCache() const;
    /// Had every pass computed its whole input again.
    int computedWithoutCache() const;

private:
    void askNext();
    /// The next question of this place in the script.
    std::optional<size_t> questionHere() const;
    bool isAskedHere(const TraceQuestion& question) const;
    bool hasChoice() const
    {
        return m_passes.size() < m_script.choices.size() + (m_script.endUnit.empty() ? 0 : 1);
    }

    TraceScript m_script;
    int m_lengthCap = 0;
    engine::StopRules m_rules;
    engine::TokenIds m_selectedIds;
    std::vector<TracedPass> m_passes;
    std::string m_text;
    std::optional<engine::StopReason> m_reason;
    size_t m_nextQuestion = 0; ///< in the script: those before it were asked
    std::optional<size_t> m_question; ///< that is shown
    std::optional<std::string> m_given;
};

} // namespace app
