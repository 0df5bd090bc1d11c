#include "app/cli/command_line.h"

#include "app/cli/command_table.h"

#include <iostream>

namespace app {

namespace {
    void printCommands(std::ostream& stream)
    {
        stream << "usage: tokenglass [COMMAND OPTIONS]\nWithout a command the window opens.\n\n";
        for (const Command& command : commandTable()) {
            std::string left = std::string("  ") + command.name;
            left.resize(14, ' ');
            stream << left << command.summary << "\n";
        }
        stream << "\ntokenglass COMMAND --help lists the options of a command.\n";
    }
}

std::optional<int> runCommandLine(const std::vector<std::string>& words)
{
    if (words.empty())
        return std::nullopt;
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        printCommands(std::cout);
        return kExitOk;
    }
    if (words[0] == "--version") {
        std::cout << "tokenglass " << TOKENGLASS_VERSION << "\n";
        return kExitOk;
    }
    if (const Command* command = findCommand(words[0]))
        return command->run({ words.begin() + 1, words.end() });
    std::cerr << "tokenglass: there is no command \"" << words[0] << "\"\n";
    printCommands(std::cerr);
    return kExitUsage;
}

} // namespace app
