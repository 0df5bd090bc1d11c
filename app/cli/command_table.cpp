#include "app/cli/command_table.h"

#include "app/cli/devices_command.h"
#include "app/cli/render_command.h"
#include "app/cli/tokenize_command.h"

#include <array>

namespace app {

namespace {
    // Sorted as --help lists them.
    constexpr std::array<Command, 3> kCommands { {
        { "devices", "list the Vulkan devices and say which one is used", runDevicesCommand },
        { "render", "write out chats with their templates", runRenderCommand },
        { "tokenize", "turn texts into token ids", runTokenizeCommand },
    } };
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
