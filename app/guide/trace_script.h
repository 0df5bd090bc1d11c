#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A tool that a question leads to.
enum class TraceTool { None, CacheQuestion, CappedAnswer };

struct TraceQuestion {
    int afterPass = 0; ///< 0 = before the first
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
    std::vector<TraceQuestion> questions; ///< by afterPass

    bool operator==(const TraceScript&) const = default;
};

/// Errors: BadFile naming the field.
engine::Result<TraceScript> traceScriptFrom(std::string_view json);

} // namespace app
