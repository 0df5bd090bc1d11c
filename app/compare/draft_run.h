#pragma once

#include "app/compare/compared_run.h"
#include "app/conversation/answer.h"

namespace app {

/// A run of the window, as far as it has come. Its tokens must be in memory (Draft::hasDetails);
/// else it has none.
ComparedRun comparedRun(const Draft& draft);

/// An answer of the window as one run: everything from its start on, whichever runs and branches
/// wrote it. Caps count from there. An answer that a person wrote has no request. text: of its model,
/// for drafts that were read back and do not have it.
ComparedRun comparedAnswer(const Answer& answer, const engine::ModelText* text = nullptr);

} // namespace app
