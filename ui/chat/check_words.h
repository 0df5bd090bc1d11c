#pragma once

#include "app/compare/requirement_check.h"

#include <QString>

namespace ui {

/// "present so far 2 of 3 · not ready": how an answer stands to what is asked of it.
QString checkWords(const app::RequirementCheck& check);
/// The name of the set and a line for each requirement, with what was found or what is missing.
QString checkList(const app::RequirementCheck& check);

} // namespace ui
