#pragma once

#include "app/compare/compared_run.h"
#include "app/conversation/draft.h"

namespace app {

/// A run of the window, as far as it has come. Its tokens must be in memory (Draft::hasDetails);
/// else it has none.
ComparedRun comparedRun(const Draft& draft);

} // namespace app
