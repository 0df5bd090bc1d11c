#pragma once

#include "app/inspection/cache_lens.h"
#include "app/inspection/prompt_view.h"
#include "app/inspection/round_trip.h"

#include <QString>

namespace ui {

/// "Reused 60 of 79 tokens; recomputed 19. First difference at position 60: the prompt has ‘ Bob’
/// where the cache has ‘ Ann’. A message was changed."
QString cacheWords(const std::optional<app::PromptCacheUse>& use,
    const std::optional<app::CacheLens>& lens = {});
/// The likely cause as a sentence; "" where it is not known.
QString reasonWords(app::MissReason reason);
/// What the sequence takes up in the cache; "" where it was not observed.
QString roomWords(const std::optional<app::PromptCacheUse>& use);
/// Whose words a stretch of a prompt is, and what the cache had of it, for a tooltip.
QString spanWords(app::PromptKind kind, app::PromptOrigin origin, app::PromptCache cache);
/// Whether the answer's text would be read back as its tokens.
QString roundTripWords(const app::Answer& answer, const std::optional<app::RoundTrip>& trip);
/// The source texts and where they stand; "" = there are none.
QString sourceWords(const std::vector<app::RecordedSource>& sources, const app::PromptView& view);

} // namespace ui
