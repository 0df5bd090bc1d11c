#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine {

/// U+FFFD, what stands for bytes that are no character.
constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

enum class Utf8State {
    Valid, ///< one whole character
    Invalid, ///< a maximal part that no further bytes can make a character
    Incomplete, ///< the bytes end inside a character that may still become valid
};

/// The first character of a text, or what stands in its place.
struct Utf8Part {
    Utf8State state = Utf8State::Valid;
    size_t byteCount = 0;
};

/// Looks at the front of non-empty bytes.
/// Source: Unicode 15, table 3-7 and section 3.9 ("maximal subpart").
Utf8Part firstUtf8Part(std::string_view bytes);

/// Bytes at the front that are whole, valid characters.
size_t validUtf8Prefix(std::string_view bytes);

/// The text with every invalid or cut-off part replaced by one U+FFFD.
std::string toValidUtf8(std::string_view bytes);

} // namespace engine
