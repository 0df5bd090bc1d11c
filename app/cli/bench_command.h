#pragma once

#include "app/cli/run_command.h"

namespace app {

/// `tokenglass bench`: how fast a model reads and writes, on the path of `run` with records on.
/// Greedy, end tokens ignored, a prompt of fixed text. With --operations and --profile also where
/// the time goes, with --probe only what the device can do at best. Returns the exit code.
int runBenchCommand(const std::vector<std::string>& words);
int runBenchCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings);

} // namespace app
