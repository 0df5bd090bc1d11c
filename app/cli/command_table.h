#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Exit codes of every command: automation must be able to tell a draft from an answer.
enum ExitCode {
    kExitOk = 0,
    kExitFailed = 1,
    kExitUsage = 2,
    kExitCapped = 3,
    kExitPartial = 4,
    kExitChecksFailed = 5, ///< complete, or ended by a stop string, but not what was asked
    kExitDifferent = 6, ///< of verify: other tokens than the record's
};

/// One subcommand of `tokenglass`.
struct Command {
    const char* name;
    const char* summary; ///< one line for --help
    int (*run)(const std::vector<std::string>& arguments); ///< arguments after the name
};

std::span<const Command> commandTable();
const Command* findCommand(std::string_view name);

} // namespace app
