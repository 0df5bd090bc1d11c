#include "app/cli/command_line.h"
#include "app/cli/command_table.h"

#include <iostream>

int main(int argc, char** argv)
{
    if (const std::optional<int> exitCode = app::runCommandLine({ argv + 1, argv + argc }))
        return *exitCode;
    std::cerr << "tokenglass: the window is not built yet\n";
    return app::kExitUsage;
}
