#pragma once

#include <optional>
#include <string>
#include <vector>

namespace app {

/// A place where a pattern holds.
struct PatternMatch {
    std::string value; ///< the first group where the pattern has one, else all of it
    size_t start = 0; ///< of the whole match, bytes
    size_t end = 0;

    bool operator==(const PatternMatch&) const = default;
};

/// "" or why a pattern cannot be used.
std::string patternFault(const std::string& pattern);
/// All matches in UTF-8 text, in order, whatever the case of letters; at most 1000. None: the
/// pattern tries too many ways through this text (it is given up, never waited for).
std::optional<std::vector<PatternMatch>> matchesOf(
    const std::string& pattern, const std::string& text);

} // namespace app
