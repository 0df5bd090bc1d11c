#include "engine/tokenizer/byte_letters.h"

#include <array>

namespace engine {

namespace {
    constexpr uint32_t kFirstStandIn = 0x100; ///< for bytes without a printable letter
    constexpr uint32_t kLetterEnd = 0x144; ///< one past the last letter

    bool isItsOwnLetter(uint32_t byte)
    {
        return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    }

    struct Alphabet {
        std::array<std::string, 256> letters;
        std::array<int16_t, kLetterEnd> bytes; ///< by code point; -1: no letter

        Alphabet()
        {
            bytes.fill(-1);
            uint32_t nextStandIn = kFirstStandIn;
            for (uint32_t byte = 0; byte < 256; ++byte) {
                const uint32_t codePoint = isItsOwnLetter(byte) ? byte : nextStandIn++;
                bytes[codePoint] = int16_t(byte);
                if (codePoint < 0x80)
                    letters[byte] = char(codePoint);
                else
                    letters[byte]
                        = { char(0xC0 | codePoint >> 6), char(0x80 | (codePoint & 0x3F)) };
            }
        }
    };

    const Alphabet& alphabet()
    {
        static const Alphabet instance;
        return instance;
    }
}

const std::string& letterOfByte(uint8_t byte) { return alphabet().letters[byte]; }

std::string lettersFromBytes(std::string_view bytes)
{
    std::string letters;
    letters.reserve(2 * bytes.size());
    for (const char byte : bytes)
        letters += letterOfByte(uint8_t(byte));
    return letters;
}

std::string bytesFromLetters(std::string_view letters)
{
    std::string bytes;
    bytes.reserve(letters.size());
    for (size_t i = 0; i < letters.size(); ++i) {
        uint32_t codePoint = uint8_t(letters[i]);
        size_t letterBytes = 1;
        if ((codePoint & 0xE0) == 0xC0 && i + 1 < letters.size()) {
            codePoint = (codePoint & 0x1F) << 6 | (uint8_t(letters[i + 1]) & 0x3F);
            letterBytes = 2;
        } else if (codePoint >= 0x80) {
            codePoint = kLetterEnd; // part of a longer character: no letter
        }
        const int16_t byte = codePoint < kLetterEnd ? alphabet().bytes[codePoint] : int16_t(-1);
        if (byte >= 0)
            bytes += char(byte);
        else
            bytes += letters.substr(i, letterBytes);
        i += letterBytes - 1;
    }
    return bytes;
}

} // namespace engine
