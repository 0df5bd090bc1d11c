#pragma once

#include "tests/ui/real_program.h"

namespace tests {

/// Pictures of the inspector's parts, a fork, an answer that is written step by step, the guided
/// trace and the question of the cache. suffix: what their names end in, "-dark".
void saveInspector(RealProgram& program, const QString& folder, const QString& suffix);

} // namespace tests
