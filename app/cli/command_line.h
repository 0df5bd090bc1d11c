#pragma once

#include <optional>
#include <string>
#include <vector>

namespace app {

/// Runs the command that the words after the program's name ask for, also --help and --version.
/// Returns the exit code; none when there are no words: the window is wanted.
std::optional<int> runCommandLine(const std::vector<std::string>& words);

} // namespace app
