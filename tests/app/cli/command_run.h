#pragma once

#include "engine/kernels/device_probe.h"
#include "tests/support/scripted_model.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tests {

/// What a command wrote and how it ended.
struct CommandOutcome {
    int exitCode = -1;
    std::string out;
    std::string err;

    /// Each line of standard output as JSON; null for a line that is none.
    std::vector<nlohmann::json> lines() const;
    nlohmann::json lastLine() const;
    /// Texts of the token and text events, joined.
    std::string streamedText() const;
};

engine::DeviceProbe fixedProbe();

/// Runs `tokenglass run` in this process with a scripted model.
CommandOutcome runRun(const std::vector<std::string>& words, ScriptedModelOptions options,
    std::function<bool()> interrupted = {});
/// Runs `tokenglass verify` in this process with a scripted model.
CommandOutcome runVerify(const std::vector<std::string>& words, ScriptedModelOptions options);
/// Runs `tokenglass worksheet` in this process with a scripted model.
CommandOutcome runWorksheet(const std::vector<std::string>& words, ScriptedModelOptions options);
/// Runs `tokenglass bench`, on a device that can do what fixedProbe() says.
CommandOutcome runBench(const std::vector<std::string>& words, ScriptedModelOptions options);

} // namespace tests
