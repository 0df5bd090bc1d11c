#include "engine/chat/jinja/string_literal.h"

#include "engine/chat/jinja/unicode.h"

#include <cstring>

namespace engine::jinja {

namespace {
    int hexValue(char c)
    {
        if (c >= '0' && c <= '9')
            return c - '0';
        if (c >= 'a' && c <= 'f')
            return c - 'a' + 10;
        if (c >= 'A' && c <= 'F')
            return c - 'A' + 10;
        return -1;
    }

    /// Reads exactly this many hex digits at the offset; -1 when they are not there.
    int32_t hexNumber(std::string_view text, size_t offset, size_t digitCount)
    {
        if (offset + digitCount > text.size())
            return -1;
        int64_t value = 0;
        for (size_t i = 0; i < digitCount; ++i) {
            const int digit = hexValue(text[offset + i]);
            if (digit < 0)
                return -1;
            value = value * 16 + digit;
        }
        return value > 0x10FFFF ? 0xFFFD : int32_t(value);
    }

    /// Reads the escape behind a backslash at the offset and returns the bytes it takes; 0 if
    /// unknown.
    Result<size_t> readEscape(std::string_view text, size_t offset, std::string& out)
    {
        const char c = text[offset];
        constexpr char kNames[] = "\\'\"abfnrtv";
        constexpr char kValues[] = "\\'\"\a\b\f\n\r\t\v";
        if (const char* found = c ? std::strchr(kNames, c) : nullptr) {
            out += kValues[found - kNames];
            return size_t(1);
        }
        if (c == '\n')
            return size_t(1);
        if (c >= '0' && c <= '7') {
            int32_t value = 0;
            size_t count = 0;
            while (count < 3 && offset + count < text.size() && text[offset + count] >= '0'
                && text[offset + count] <= '7')
                value = value * 8 + (text[offset + count++] - '0');
            appendUtf8(out, value);
            return count;
        }
        const size_t digitCount = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digitCount == 0)
            return size_t(0);
        int32_t value = hexNumber(text, offset + 1, digitCount);
        if (value < 0)
            return Error::badTemplate(
                "a string with a truncated escape '\\" + std::string(1, c) + "'");
        size_t bytes = 1 + digitCount;
        const bool highSurrogate = c == 'u' && value >= 0xD800 && value < 0xDC00;
        if (highSurrogate && text.substr(offset + bytes, 2) == "\\u") {
            const int32_t low = hexNumber(text, offset + bytes + 2, 4);
            if (low >= 0xDC00 && low < 0xE000) {
                value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
                bytes += 6;
            }
        }
        appendUtf8(out, value);
        return bytes;
    }
}

Result<std::string> unescapeLiteral(std::string_view written)
{
    std::string out;
    for (size_t offset = 0; offset < written.size();) {
        const char c = written[offset++];
        size_t taken = 0;
        if (c == '\\' && offset < written.size()) {
            TRY_ASSIGN(taken, readEscape(written, offset, out));
        }
        offset += taken;
        if (taken == 0)
            out += c;
    }
    return out;
}

} // namespace engine::jinja
