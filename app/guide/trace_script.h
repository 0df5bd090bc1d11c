#pragma once

#include "engine/base/result.h"
#include "engine/session/stop_reason.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A tool that a question leads to.
enum class TraceTool { None, CacheQuestion, CappedAnswer };

/// Asked after one pass while the run goes on, or when it has ended.
struct TraceQuestion {
    bool isAtEnd = false;
    int afterPass = 0; ///< 0 = before the first; at the end: at least so many passes
    std::optional<engine::StopReason> endedBy; ///< only at such an end; none: at any
    std::string ask;
    std::string answer;
    TraceTool opens = TraceTool::None;

    bool operator==(const TraceQuestion&) const = default;
};

/// A run whose choices are supplied by a file (README.md has the format).
struct TraceScript {
    static constexpr int kVersion = 1;

    std::string title;
    std::vector<std::string> prompt; ///< units, as text
    std::vector<std::string> choices;
    int lengthCap = 0;
    std::string stopString; ///< "" = none
    std::string endUnit; ///< "" = none
    std::vector<TraceQuestion> questions; ///< by pass, those at the end last

    bool operator==(const TraceScript&) const = default;
};

/// Errors: BadFile naming the field: also for a script whose choices run out before anything ends
/// the run, and for a question that no pass reaches.
engine::Result<TraceScript> traceScriptFrom(std::string_view json);
/// Errors: Io; the same, with the file's name.
engine::Result<TraceScript> readTraceScript(const std::string& path);

} // namespace app
