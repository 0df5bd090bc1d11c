#pragma once

#include "app/conversation/draft.h"

namespace app {

/// Follows the formatted prompt of a run while the pieces of its tokens are taken one by one.
/// The origin must outlive it.
class PromptPlace {
public:
    explicit PromptPlace(const DraftOrigin& origin)
        : m_origin(origin)
    {
    }

    /// Where this piece stands, in bytes; none where it is no part of the prompt. mayBeAdded: it may
    /// be the token that some vocabularies ask for in front of every prompt.
    std::optional<size_t> take(std::string_view piece, bool mayBeAdded);
    /// From some piece on the tokens were not the bytes of the prompt.
    bool isLost() const { return m_isLost; }

private:
    const DraftOrigin& m_origin;
    size_t m_offset = 0;
    bool m_isLost = false;
};

/// The stretch that a byte of the prompt belongs to; null where that is not known.
const RecordedSpan* spanAt(const RecordedSpans& spans, size_t promptByte);

} // namespace app
