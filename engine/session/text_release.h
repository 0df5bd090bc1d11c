#pragma once

#include "engine/session/stop_string_matcher.h"
#include "engine/tokenizer/stream_decoder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Decides which text of a draft may be shown: whole characters that no stop string can claim.
/// Nothing it has given out is ever withdrawn; everything it holds comes out at the end, except the
/// bytes of a character that never became whole.
class TextRelease {
public:
    explicit TextRelease(std::vector<std::string> stopStrings);

    /// Bytes of a token of the draft that is being continued: shown by the run before.
    void continueFrom(std::string_view pieceBytes);

    struct Step {
        std::string text; ///< released now
        std::optional<StopStringMatch> match;
    };
    Step push(std::string_view pieceBytes);
    /// The held text. The bytes of an unfinished character stay in waitingBytes().
    std::string finish() { return m_matcher.finish(); }

    std::string_view heldText() const { return m_matcher.held(); }
    const std::string& heldFor() const { return m_matcher.heldFor(); }
    const std::string& waitingBytes() const { return m_decoder.waiting(); }

private:
    StreamDecoder m_decoder;
    StopStringMatcher m_matcher;
};

} // namespace engine
