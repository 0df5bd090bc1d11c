#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app {

/// One option of a command, as --help prints it.
struct OptionSpec {
    const char* name; ///< without the dashes
    const char* value; ///< what stands after it in the usage ("FILE"); nullptr for a switch
    const char* summary;
    bool isRepeatable = false;
};

/// The words after a command's name, sorted into options. Values are kept byte for byte.
/// Errors: BadRequest for unknown options, missing, repeated or out-of-range values, and bytes that
/// are no UTF-8. --help is an option of every command.
class Arguments {
public:
    static engine::Result<Arguments> parse(
        std::span<const OptionSpec> options, const std::vector<std::string>& words);

    bool has(const std::string& name) const { return m_values.count(name) > 0; }
    std::optional<std::string> text(const std::string& name) const;
    std::vector<std::string> texts(const std::string& name) const;
    /// Words that belong to no option.
    const std::vector<std::string>& positionals() const { return m_positionals; }

    engine::Result<std::optional<int64_t>> integer(
        const std::string& name, int64_t lowest, int64_t highest) const;
    /// All 64 bits, for seeds.
    engine::Result<std::optional<uint64_t>> unsignedInteger(const std::string& name) const;
    engine::Result<std::optional<double>> number(
        const std::string& name, double lowest, double highest) const;

private:
    std::map<std::string, std::vector<std::string>> m_values;
    std::vector<std::string> m_positionals;
};

/// "usage: tokenglass NAME USAGE", the summary and one line per option.
std::string helpText(
    const std::string& command, const std::string& usage, std::span<const OptionSpec> options);

/// Tells on a stream (standard error) what is wrong with a command's words. Returns kExitUsage.
int reportUsageError(std::ostream& stream, const std::string& command, const engine::Error& error);
/// Tells on a stream (standard error) why a command failed. Returns kExitFailed.
int reportFailure(std::ostream& stream, const std::string& command, const engine::Error& error);

} // namespace app
