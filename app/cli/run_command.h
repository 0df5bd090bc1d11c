#pragma once

#include "app/cli/bench_probe.h"
#include "engine/session/loaded_model.h"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace app {

/// What a command that generates depends on; tests put their own in.
struct CommandSurroundings {
    engine::EngineFactory factory;
    std::ostream& out;
    std::ostream& err;
    std::function<bool()> interrupted; ///< the user asked to stop
    DeviceProber prober = probeWishedDevice;
};

/// `tokenglass run`: answers a prompt and tells how the answer ended. Returns the exit code.
int runRunCommand(const std::vector<std::string>& words);
int runRunCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings);

} // namespace app
