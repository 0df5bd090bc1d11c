#pragma once

#include "app/compare/requirement_check.h"
#include "engine/session/generation_event.h"

#include <iosfwd>

namespace app {

/// Writes a run for people or for programs while it happens. For programs: one JSON object a line,
/// flushed, the last one "ended". For people: the answer alone on `out`, the verdict on `err`.
class RunOutput {
public:
    RunOutput(std::ostream& out, std::ostream& err, bool writesJson);

    void show(const engine::GenerationEvent& event);
    /// Once, after the last event. check: none was asked for.
    void showEnd(const engine::RunEnded& ended, const engine::TokenIds& promptIds,
        const std::optional<RequirementCheck>& check = {});

private:
    void showEvent(const engine::RunQueued&) { }
    void showEvent(const engine::PrefillProgress& progress);
    void showEvent(const engine::TokenDecoded& decoded);
    void showEvent(const engine::TextReleased& released);
    void showEvent(const engine::RunPaused&) { } // no command line asks for a pause
    void showEvent(const engine::RunResumed&) { }
    void showEvent(const engine::RunEnded&) { }

    std::ostream& m_out;
    std::ostream& m_err;
    bool m_writesJson;
};

/// "capped: length cap reached: not known to be complete (length_cap); 64 tokens, ..."
std::string verdictLine(const engine::RunEnded& ended);

/// 0 complete or stopped, 3 capped, 4 partial, 1 failed.
int exitCodeOf(const engine::Ledger& ledger);

} // namespace app
