#include "app/cli/arguments.h"

#include "app/cli/command_table.h"
#include "engine/tokenizer/utf8.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <sstream>

namespace app {

namespace {
    constexpr OptionSpec kHelp { "help", nullptr, "print this" };

    bool isUtf8(std::string_view text) { return engine::validUtf8Prefix(text) == text.size(); }

    const OptionSpec* findOption(std::span<const OptionSpec> options, std::string_view name)
    {
        for (const OptionSpec& option : options)
            if (name == option.name)
                return &option;
        return name == kHelp.name ? &kHelp : nullptr;
    }

    template <typename Number>
    engine::Error outOfRange(
        const std::string& name, const std::string& text, Number lowest, Number highest)
    {
        std::ostringstream message;
        message << "--" << name << " " << text << ": a number from " << lowest << " to " << highest
                << " is needed";
        return engine::Error::badRequest(message.str());
    }
}

engine::Result<Arguments> Arguments::parse(
    std::span<const OptionSpec> options, const std::vector<std::string>& words)
{
    Arguments arguments;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!isUtf8(word))
            return engine::Error::badRequest(
                "argument " + std::to_string(i + 1) + " is not valid UTF-8");
        if (word == "--") {
            arguments.m_positionals.insert(
                arguments.m_positionals.end(), words.begin() + ptrdiff_t(i) + 1, words.end());
            break;
        }
        if (word.size() < 2 || word[0] != '-') {
            arguments.m_positionals.push_back(word);
            continue;
        }
        const size_t equals = word.find('=');
        const std::string name = word.starts_with("--")
            ? word.substr(2, equals == std::string::npos ? equals : equals - 2)
            : word;
        const OptionSpec* option = word == "-h" ? &kHelp : findOption(options, name);
        if (!option)
            return engine::Error::badRequest("unknown option " + word.substr(0, equals));
        std::vector<std::string>& values = arguments.m_values[option->name];
        if (!values.empty() && !option->isRepeatable)
            return engine::Error::badRequest("--" + name + " is given twice");
        if (!option->value) {
            if (equals != std::string::npos)
                return engine::Error::badRequest("--" + name + " takes no value");
            values.emplace_back();
            continue;
        }
        if (equals != std::string::npos) {
            values.push_back(word.substr(equals + 1));
            continue;
        }
        if (++i == words.size())
            return engine::Error::badRequest(
                "--" + name + " needs a value (" + option->value + ")");
        if (!isUtf8(words[i]))
            return engine::Error::badRequest("the value of --" + name + " is not valid UTF-8");
        values.push_back(words[i]);
    }
    return arguments;
}

std::optional<std::string> Arguments::text(const std::string& name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.front());
}

std::vector<std::string> Arguments::texts(const std::string& name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

engine::Result<std::optional<int64_t>> Arguments::integer(
    const std::string& name, int64_t lowest, int64_t highest) const
{
    const std::optional<std::string> value = text(name);
    if (!value)
        return std::optional<int64_t>();
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(value->c_str(), &end, 10);
    const bool isNumber = !value->empty() && !std::isspace(uint8_t(value->front())) && *end == '\0';
    if (!isNumber || errno == ERANGE || number < lowest || number > highest)
        return outOfRange(name, *value, lowest, highest);
    return std::optional<int64_t>(number);
}

engine::Result<std::optional<uint64_t>> Arguments::unsignedInteger(const std::string& name) const
{
    const std::optional<std::string> value = text(name);
    if (!value)
        return std::optional<uint64_t>();
    errno = 0;
    const bool isNumber = !value->empty()
        && std::all_of(value->begin(), value->end(), [](char c) { return c >= '0' && c <= '9'; });
    const unsigned long long number = isNumber ? std::strtoull(value->c_str(), nullptr, 10) : 0;
    if (!isNumber || errno == ERANGE)
        return outOfRange(name, *value, uint64_t(0), std::numeric_limits<uint64_t>::max());
    return std::optional<uint64_t>(number);
}

engine::Result<std::optional<double>> Arguments::number(
    const std::string& name, double lowest, double highest) const
{
    const std::optional<std::string> value = text(name);
    if (!value)
        return std::optional<double>();
    // A stream with the classic locale: strtod would take the comma of the user's.
    std::istringstream stream(*value);
    stream.imbue(std::locale::classic());
    double number = 0;
    stream >> std::noskipws >> number;
    const bool isNumber = !stream.fail() && stream.eof();
    if (!isNumber || !(number >= lowest && number <= highest))
        return outOfRange(name, *value, lowest, highest);
    return std::optional<double>(number);
}

std::string helpText(
    const std::string& command, const std::string& usage, std::span<const OptionSpec> options)
{
    std::string text = "usage: tokenglass " + command + " " + usage + "\n";
    const Command* row = findCommand(command);
    if (row)
        text += std::string("  ") + row->summary + "\n\n";
    const auto addLine = [&text](const OptionSpec& option) {
        std::string left = std::string("  --") + option.name;
        if (option.value)
            left += std::string(" ") + option.value;
        constexpr size_t kColumn = 28;
        left.resize(std::max(kColumn, left.size() + 1), ' ');
        text += left + option.summary + "\n";
    };
    for (const OptionSpec& option : options)
        addLine(option);
    addLine(kHelp);
    return text;
}

int reportUsageError(std::ostream& stream, const std::string& command, const engine::Error& error)
{
    stream << "tokenglass " << command << ": " << error.message << "\n"
           << "tokenglass " << command << " --help lists the options" << std::endl;
    return kExitUsage;
}

int reportFailure(std::ostream& stream, const std::string& command, const engine::Error& error)
{
    stream << "tokenglass " << command << ": " << error.message << std::endl;
    return kExitFailed;
}

} // namespace app
