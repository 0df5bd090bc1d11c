#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Where a stop string was met.
struct StopStringMatch {
    std::string stopString;
    int64_t offset
        = 0; ///< of its first byte in the generated text, a continued draft's text included

    bool operator==(const StopStringMatch&) const = default;
};

/// Watches generated text for stop strings, byte by byte and so across any token border. Holds back
/// the longest tail that may still become one; whatever it has released can never be part of a
/// later match, except across the seam of a continued draft. The string that is whole first wins;
/// of those that end at the same byte, the longest.
class StopStringMatcher {
public:
    /// Empty strings are no stop strings and match nothing.
    explicit StopStringMatcher(std::vector<std::string> stopStrings);

    /// Text of the draft that is being continued: it is shown already, and a match may begin in it,
    /// but none ends in it.
    void continueFrom(std::string_view text);

    struct Step {
        std::string released; ///< text that no match can take back
        std::optional<StopStringMatch> match; ///< the text before it is released, nothing after it
    };
    /// Adds text. Nothing may be pushed after a match.
    Step push(std::string_view text);
    /// Gives out what is still held: no more text will come.
    std::string finish();

    std::string_view held() const;
    /// The stop string that the held text may become; "" when nothing is held.
    const std::string& heldFor() const { return m_heldFor; }

private:
    void keepTail();

    std::vector<std::string> m_stopStrings;
    size_t m_longest = 0;
    std::string m_tail; ///< the last bytes, as many as a match could need; the held ones at its end
    size_t m_heldBytes = 0; ///< of m_tail, not yet released
    std::string m_heldFor;
    int64_t m_seenBytes = 0;
};

} // namespace engine
