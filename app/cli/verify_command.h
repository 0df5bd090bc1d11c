#pragma once

#include "app/cli/run_command.h"

namespace app {

/// `tokenglass verify RUN`: runs a recorded run again and tells whether every token is the same;
/// else the first that is not, with both distributions. Exit code 0: equal; 6: different; 1: it
/// could not be run.
int runVerifyCommand(const std::vector<std::string>& words);
int runVerifyCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings);

} // namespace app
