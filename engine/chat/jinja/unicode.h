#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Characters as Python's str sees them: UTF-8 code points. A byte that is no UTF-8 counts as one
/// character and is carried along unchanged.
namespace engine::jinja {

struct CodePoint {
    int32_t value = -1; ///< -1 for a byte that is no UTF-8
    size_t bytes = 1;
};

/// The character that starts at this offset (offset < text.size()).
CodePoint codePointAt(std::string_view text, size_t offset);
/// Offset of the character before this offset (offset > 0).
size_t previousOffset(std::string_view text, size_t offset);
size_t countCodePoints(std::string_view text);
/// Byte offset of the character with this index; text.size() when there are fewer.
size_t offsetOfCodePoint(std::string_view text, size_t index);
/// Surrogates and values past U+10FFFF become U+FFFD.
void appendUtf8(std::string& text, int32_t codePoint);

bool isSpace(int32_t codePoint); ///< str.isspace
bool isPrintable(int32_t codePoint); ///< str.isprintable
bool isAlpha(int32_t codePoint);
bool isDecimal(int32_t codePoint);
bool isUpper(int32_t codePoint);
bool isLower(int32_t codePoint);
/// Letter, digit or underscore: the `\w` of Jinja's names.
bool isWord(int32_t codePoint);
/// Appends the upper, lower or title case form (one character may become two, as in "ß").
void appendUpper(std::string& text, std::string_view character);
void appendLower(std::string& text, std::string_view character);
void appendTitle(std::string& text, std::string_view character);

std::string_view trimSpace(std::string_view text);
std::string_view trimSpaceRight(std::string_view text);

} // namespace engine::jinja
