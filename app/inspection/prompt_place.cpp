#include "app/inspection/prompt_place.h"

#include <algorithm>

namespace app {

std::optional<size_t> PromptPlace::take(std::string_view piece, bool mayBeAdded)
{
    if (m_isLost)
        return std::nullopt;
    const std::string& prompt = m_origin.promptText;
    if (prompt.compare(m_offset, piece.size(), piece) == 0) {
        m_offset += piece.size();
        return m_offset - piece.size();
    }
    // SentencePiece puts a blank in front of text: the rest of the piece is the prompt's.
    const bool hasBlank
        = piece.starts_with(' ') && prompt.compare(m_offset, piece.size() - 1, piece.substr(1)) == 0;
    if (hasBlank)
        m_offset += piece.size() - 1;
    m_isLost = !mayBeAdded && !hasBlank;
    return std::nullopt;
}

const RecordedSpan* spanAt(const RecordedSpans& spans, size_t promptByte)
{
    if (!spans)
        return nullptr;
    const auto found = std::ranges::upper_bound(*spans, promptByte, {}, &RecordedSpan::promptEnd);
    return found == spans->end() || found->promptStart > promptByte ? nullptr : &*found;
}

} // namespace app
