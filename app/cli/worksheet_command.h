#pragma once

#include "app/cli/run_command.h"

namespace app {

/// `tokenglass worksheet`: run records, or responses of other programs, as a page on standard
/// output; with the words of `run` the blank page of a run that is planned; with --run a plan is
/// started, and its filled page is written. Returns the exit code.
int runWorksheetCommand(const std::vector<std::string>& words);
int runWorksheetCommand(
    const std::vector<std::string>& words, const CommandSurroundings& surroundings);

} // namespace app
