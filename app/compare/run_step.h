#pragma once

#include "app/compare/compared_run.h"
#include "app/inspection/stage_trace.h"

namespace app {

/// A new token of a run as a step that can be traced. The run must have a request; valid as long as
/// the run.
TracedStep stepOf(const ComparedRun& run, size_t token);

} // namespace app
