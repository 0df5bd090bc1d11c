#include "engine/session/text_release.h"

namespace engine {

TextRelease::TextRelease(std::vector<std::string> stopStrings)
    : m_matcher(std::move(stopStrings))
{
}

void TextRelease::continueFrom(std::string_view pieceBytes)
{
    m_matcher.continueFrom(m_decoder.push(pieceBytes));
}

TextRelease::Step TextRelease::push(std::string_view pieceBytes)
{
    StopStringMatcher::Step step = m_matcher.push(m_decoder.push(pieceBytes));
    return { std::move(step.released), std::move(step.match) };
}

} // namespace engine
