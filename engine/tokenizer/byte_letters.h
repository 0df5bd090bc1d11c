#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace engine {

/// The alphabet of byte-level BPE vocabularies: every byte is written as one printable letter
/// (a space as "Ġ", a newline as "Ċ"). Source: Radford et al. 2019 (GPT-2), encoder table.

/// The letter of a byte, as UTF-8.
const std::string& letterOfByte(uint8_t byte);

/// Writes bytes as letters.
std::string lettersFromBytes(std::string_view bytes);

/// Turns letters back into bytes; anything outside the alphabet stays as it is.
std::string bytesFromLetters(std::string_view letters);

} // namespace engine
