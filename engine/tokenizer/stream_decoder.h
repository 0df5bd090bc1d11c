#pragma once

#include <string>
#include <string_view>

namespace engine {

/// Joins the bytes of decoded tokens into whole UTF-8 characters. Incomplete characters wait;
/// bytes that can never become one are released as U+FFFD, one per maximal invalid part.
class StreamDecoder {
public:
    /// Adds bytes and returns the text that is complete now (valid UTF-8).
    std::string push(std::string_view bytes);
    /// How many bytes wait for the rest of their character.
    size_t waitingBytes() const { return m_waiting.size(); }
    const std::string& waiting() const { return m_waiting; }
    /// Ends the stream: an incomplete character comes out as one U+FFFD.
    std::string finish();

private:
    std::string m_waiting;
};

} // namespace engine
