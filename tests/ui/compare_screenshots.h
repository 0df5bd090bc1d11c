#pragma once

#include "tests/ui/real_program.h"

namespace tests {

/// Runs side by side and what tells more of them, the run library, a worksheet, and an answer that is
/// checked. suffix: of every name ("-dark").
void saveCompared(RealProgram& program, const QString& folder, const QString& suffix);

} // namespace tests
