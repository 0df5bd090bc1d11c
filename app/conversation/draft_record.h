#pragma once

#include "app/conversation/draft.h"

namespace app {

/// The whole record of a run of this window, also of one that is kept nowhere. opened: as it was
/// before the run's first event.
nlohmann::ordered_json recordOf(RunRecord opened, const Draft& draft);

} // namespace app
