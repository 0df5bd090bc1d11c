#include "engine/chat/jinja/unicode.h"

#include <utf8proc.h>

namespace engine::jinja {

CodePoint codePointAt(std::string_view text, size_t offset)
{
    const auto first = uint8_t(text[offset]);
    if (first < 0x80)
        return { first, 1 };
    utf8proc_int32_t value = -1;
    const auto bytes
        = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + offset,
            utf8proc_ssize_t(text.size() - offset), &value);
    if (bytes <= 0)
        return {};
    return { value, size_t(bytes) };
}

size_t previousOffset(std::string_view text, size_t offset)
{
    for (size_t back = 1; back <= 4 && back <= offset; ++back)
        if (const CodePoint c = codePointAt(text, offset - back); c.value >= 0 && c.bytes == back)
            return offset - back;
    return offset - 1;
}

size_t countCodePoints(std::string_view text)
{
    size_t count = 0;
    for (size_t offset = 0; offset < text.size(); offset += codePointAt(text, offset).bytes)
        ++count;
    return count;
}

size_t offsetOfCodePoint(std::string_view text, size_t index)
{
    size_t offset = 0;
    for (; index > 0 && offset < text.size(); --index)
        offset += codePointAt(text, offset).bytes;
    return offset;
}

void appendUtf8(std::string& text, int32_t codePoint)
{
    utf8proc_uint8_t bytes[4];
    const bool valid = utf8proc_codepoint_valid(codePoint);
    const auto count = utf8proc_encode_char(valid ? codePoint : 0xFFFD, bytes);
    text.append(reinterpret_cast<const char*>(bytes), size_t(count));
}

bool isSpace(int32_t c)
{
    if (c < 0x80)
        return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028
        || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isPrintable(int32_t c)
{
    if (c < 0x80)
        return c >= 0x20 && c < 0x7F;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
        return false;
    default:
        return true;
    }
}

bool isAlpha(int32_t c)
{
    if (c < 0)
        return false;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return true;
    default:
        return false;
    }
}

bool isDecimal(int32_t c) { return c >= 0 && utf8proc_category(c) == UTF8PROC_CATEGORY_ND; }

bool isUpper(int32_t c) { return c >= 0 && utf8proc_category(c) == UTF8PROC_CATEGORY_LU; }

bool isLower(int32_t c) { return c >= 0 && utf8proc_category(c) == UTF8PROC_CATEGORY_LL; }

bool isWord(int32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || c == '_';
    return isAlpha(c) || isDecimal(c);
}

void appendUpper(std::string& text, std::string_view character)
{
    const CodePoint c = codePointAt(character, 0);
    if (c.value < 0)
        text += character;
    else if (c.value == 0xDF)
        text += "SS";
    else
        appendUtf8(text, utf8proc_toupper(c.value));
}

void appendLower(std::string& text, std::string_view character)
{
    const CodePoint c = codePointAt(character, 0);
    if (c.value < 0)
        text += character;
    else
        appendUtf8(text, utf8proc_tolower(c.value));
}

void appendTitle(std::string& text, std::string_view character)
{
    const CodePoint c = codePointAt(character, 0);
    if (c.value < 0)
        text += character;
    else if (c.value == 0xDF)
        text += "Ss";
    else
        appendUtf8(text, utf8proc_totitle(c.value));
}

std::string_view trimSpaceRight(std::string_view text)
{
    while (!text.empty()) {
        const size_t last = previousOffset(text, text.size());
        if (!isSpace(codePointAt(text, last).value))
            break;
        text = text.substr(0, last);
    }
    return text;
}

std::string_view trimSpace(std::string_view text)
{
    while (!text.empty()) {
        const CodePoint first = codePointAt(text, 0);
        if (!isSpace(first.value))
            break;
        text.remove_prefix(first.bytes);
    }
    return trimSpaceRight(text);
}

} // namespace engine::jinja
