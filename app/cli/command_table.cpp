#include "app/cli/command_table.h"

#include <array>

namespace app {

namespace {
    // Sorted as --help lists them.
    constexpr std::array<Command, 0> kCommands {};
}

std::span<const Command> commandTable() { return kCommands; }

const Command* findCommand(std::string_view name)
{
    for (const Command& command : commandTable())
        if (name == command.name)
            return &command;
    return nullptr;
}

} // namespace app
