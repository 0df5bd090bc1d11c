#pragma once

#include "app/compare/run_difference.h"
#include "app/compare/what_if_stops.h"
#include "ui/compare/aligned_run.h"

namespace ui {

/// Where two runs part and what made it, as a sentence; "" where there is no difference.
QString differenceWords(
    const AlignedRun& a, const AlignedRun& b, const std::optional<app::RunDifference>& difference);

/// "capped: length cap reached at token 8 of 64", "would have gone on after token 64".
QString outcomeWords(const app::StopOutcome& outcome, size_t tokenCount);

} // namespace ui
