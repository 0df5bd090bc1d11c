#pragma once

#include "app/inspection/prompt_view.h"
#include "app/inspection/round_trip.h"

#include <QString>

namespace ui {

/// "Reused 60 of 79 tokens; recomputed 19. First difference at position 60: the cache ends here."
QString cacheWords(const std::optional<app::PromptCacheUse>& use);
/// Whether the answer's text would be read back as its tokens.
QString roundTripWords(const app::Answer& answer, const std::optional<app::RoundTrip>& trip);
/// The source texts and where they stand; "" = there are none.
QString sourceWords(const std::vector<app::RecordedSource>& sources, const app::PromptView& view);

} // namespace ui
