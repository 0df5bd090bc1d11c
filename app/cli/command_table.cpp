#include "app/cli/command_table.h"

#include "app/cli/bench_command.h"
#include "app/cli/devices_command.h"
#include "app/cli/inspect_command.h"
#include "app/cli/render_command.h"
#include "app/cli/run_command.h"
#include "app/cli/score_command.h"
#include "app/cli/tokenize_command.h"
#include "app/cli/verify_command.h"
#include "app/cli/worksheet_command.h"

namespace app {

namespace {
    // Sorted as --help lists them.
    constexpr Command kCommands[] {
        { "bench", "measure how fast a model reads and writes", runBenchCommand },
        { "devices", "list the Vulkan devices and say which one is used", runDevicesCommand },
        { "inspect", "show what a model file holds and whether it runs here", runInspectCommand },
        { "render", "write out chats with their templates", runRenderCommand },
        { "run", "answer a prompt and say how the answer ended", runRunCommand },
        { "score", "score the tokens of a text, position by position", runScoreCommand },
        { "tokenize", "turn texts into token ids", runTokenizeCommand },
        { "verify", "run a recorded run again and compare every token", runVerifyCommand },
        { "worksheet", "show run records as a page to read and print", runWorksheetCommand },
    };
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
