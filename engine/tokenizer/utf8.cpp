#include "engine/tokenizer/utf8.h"

#include <cstdint>

namespace engine {

namespace {
    /// What may follow a lead byte: how many bytes, and the range of the second.
    struct LeadByte {
        size_t characterBytes = 0; ///< 0: no character starts so
        uint8_t secondFrom = 0x80;
        uint8_t secondTo = 0xBF;
    };

    LeadByte leadByte(uint8_t byte)
    {
        if (byte < 0x80)
            return { 1 };
        if (byte < 0xC2) // continuation bytes, overlong forms
            return { 0 };
        if (byte < 0xE0)
            return { 2 };
        if (byte == 0xE0)
            return { 3, 0xA0, 0xBF }; // shorter forms exist below
        if (byte == 0xED)
            return { 3, 0x80, 0x9F }; // surrogates above
        if (byte < 0xF0)
            return { 3 };
        if (byte == 0xF0)
            return { 4, 0x90, 0xBF };
        if (byte < 0xF4)
            return { 4 };
        if (byte == 0xF4)
            return { 4, 0x80, 0x8F }; // past U+10FFFF above
        return { 0 };
    }
}

Utf8Part firstUtf8Part(std::string_view bytes)
{
    const LeadByte lead = leadByte(uint8_t(bytes[0]));
    if (lead.characterBytes == 0)
        return { Utf8State::Invalid, 1 };
    for (size_t i = 1; i < lead.characterBytes; ++i) {
        if (i == bytes.size())
            return { Utf8State::Incomplete, i };
        const uint8_t byte = uint8_t(bytes[i]);
        const uint8_t from = i == 1 ? lead.secondFrom : 0x80;
        const uint8_t to = i == 1 ? lead.secondTo : 0xBF;
        if (byte < from || byte > to)
            return { Utf8State::Invalid, i };
    }
    return { Utf8State::Valid, lead.characterBytes };
}

size_t validUtf8Prefix(std::string_view bytes)
{
    size_t length = 0;
    while (length < bytes.size()) {
        const Utf8Part part = firstUtf8Part(bytes.substr(length));
        if (part.state != Utf8State::Valid)
            break;
        length += part.byteCount;
    }
    return length;
}

std::string toValidUtf8(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const size_t valid = validUtf8Prefix(bytes);
        text += bytes.substr(0, valid);
        bytes.remove_prefix(valid);
        if (bytes.empty())
            break;
        text += kReplacementCharacter;
        bytes.remove_prefix(firstUtf8Part(bytes).byteCount);
    }
    return text;
}

} // namespace engine
