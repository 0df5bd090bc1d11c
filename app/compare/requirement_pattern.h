#pragma once

#include <optional>
#include <string>
#include <vector>

namespace app {

constexpr size_t kMostMatches = 1000;

/// A place where a pattern holds.
struct PatternMatch {
    std::string value; ///< the first group where the pattern has one, else all of it
    size_t start = 0; ///< of the whole match, bytes
    size_t end = 0;
    bool isSettled = true; ///< false: another end of the text may make something else of it

    bool operator==(const PatternMatch&) const = default;
};

/// "" or why a pattern cannot be used.
std::string patternFault(const std::string& pattern);
/// All matches in UTF-8 text, in order, whatever the case of letters; at most kMostMatches. None: the
/// pattern tries too many ways through this text (it is given up, never waited for), or the text
/// is longer than 256 KiB.
std::optional<std::vector<PatternMatch>> matchesOf(
    const std::string& pattern, const std::string& text, bool mayGoOn = false);
/// Whether the pattern holds somewhere in the text, with the case of letters as written. None: as above.
std::optional<bool> holdsIn(const std::string& pattern, const std::string& text);

} // namespace app
