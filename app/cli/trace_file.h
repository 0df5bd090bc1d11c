#pragma once

#include "engine/base/result.h"
#include "engine/base/trace_log.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace app {

/// The spans as a trace of chrome://tracing and ui.perfetto.dev: complete events ("X") for host and
/// device, which nest; pairs of asynchronous ones ("b", "e") for events on their way, which
/// overlap. Times in microseconds. about: whatever the trace should say of itself. Source: "Trace
/// Event Format", the Chromium project.
nlohmann::ordered_json traceJson(
    const std::vector<engine::TraceSpan>& spans, const nlohmann::ordered_json& about);

/// Error Io with the path.
engine::Result<void> saveTrace(const std::string& path, const nlohmann::ordered_json& trace);

} // namespace app
