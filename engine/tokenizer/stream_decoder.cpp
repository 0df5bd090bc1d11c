#include "engine/tokenizer/stream_decoder.h"

#include "engine/tokenizer/utf8.h"

namespace engine {

std::string StreamDecoder::push(std::string_view bytes)
{
    m_waiting += bytes;
    std::string text;
    std::string_view rest = m_waiting;
    while (!rest.empty()) {
        const size_t valid = validUtf8Prefix(rest);
        text += rest.substr(0, valid);
        rest.remove_prefix(valid);
        if (rest.empty())
            break;
        const Utf8Part part = firstUtf8Part(rest);
        if (part.state == Utf8State::Incomplete)
            break;
        text += kReplacementCharacter;
        rest.remove_prefix(part.byteCount);
    }
    m_waiting = std::string(rest);
    return text;
}

std::string StreamDecoder::finish()
{
    // What waits is one incomplete character, so one mark stands for it.
    const std::string text(m_waiting.empty() ? std::string_view() : kReplacementCharacter);
    m_waiting.clear();
    return text;
}

} // namespace engine
