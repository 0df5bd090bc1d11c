#pragma once

#include "app/guide/guided_trace.h"

#include <nlohmann/json_fwd.hpp>

namespace app {

/// The run record of a walk as far as it went: what a script supplies and what follows from it.
/// Checkpoint, tokenizer, device and times are null, for no model ran, and so is when it was
/// opened; units have no ids. What is not selected yet is not in it, and `stop` is null until the
/// walk has ended.
nlohmann::ordered_json traceRecord(const GuidedTrace& trace);

} // namespace app
