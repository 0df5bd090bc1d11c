#include "app/cli/command_table.h"

#include <iostream>

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty())
        if (const app::Command* command = app::findCommand(arguments[0]))
            return command->run({ arguments.begin() + 1, arguments.end() });
    std::cerr << "tokenglass: the window is not built yet\n";
    return app::kExitUsage;
}
