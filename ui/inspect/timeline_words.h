#pragma once

#include "app/inspection/run_timeline.h"

#include <QString>

namespace ui {

/// "8 ms", "0.4 ms", "1.25 s"; "not observed" of nothing.
QString momentWords(const std::optional<double>& ms);
/// "reading the prompt": as the bar and its description call it.
QString phaseWords(app::RunPhase kind);
/// "first paint": as its mark is called.
QString momentName(app::RunMoment kind);
/// "First text at 180 ms, first paint at 188 ms, last paint at 1.60 s."; "" of nothing.
QString momentsWords(const app::RunTimeline& line);

/// What the engine did for a run, how it came to the window, and what came out: three lines.
QString processingWords(const app::Draft& draft, const app::RunTimeline& line);
QString deliveryWords(const app::Draft& draft, const app::RunTimeline& line);
/// checks: what requirement checks said of the answer; none: no checks are defined.
QString resultWords(const app::Draft& draft, const std::optional<QString>& checks = {});

/// Times of one new token. index: among steps.
QString stepWords(const app::RunTimeline& line, int index);
/// What one pass computed and read, and how long it took. index: among passes.
QString passWords(const app::RunTimeline& line, int index);
/// The picture in words: all phases and the stalls.
QString timelineSummary(const app::RunTimeline& line);

} // namespace ui
