#include "app/conversation/token_place.h"

#include "engine/tokenizer/stream_decoder.h"

#include <algorithm>
#include <span>

namespace app {

namespace {
    bool isInsideCharacter(const std::string& text, size_t offset)
    {
        return offset < text.size() && (uint8_t(text[offset]) & 0xC0) == 0x80;
    }

    /// Bytes of the character that the continued draft left unfinished: the run's first text
    /// starts with them, though none of its tokens has them.
    size_t bytesBefore(const Draft& draft)
    {
        const DraftOrigin& origin = draft.origin();
        if (!origin.modelText || !origin.modelText->tokenizer)
            return 0;
        engine::StreamDecoder decoder;
        const engine::TokenIds& ids = origin.request.promptIds;
        const auto known = std::min(ids.size(), size_t(origin.request.draftTokenCount));
        for (const engine::TokenId id : std::span(ids).last(known))
            decoder.push(origin.modelText->tokenizer->pieceBytes(id));
        return decoder.waitingBytes();
    }
}

TextBytes textOfToken(const Draft& draft, int tokenIndex)
{
    const std::string& text = draft.text();
    const TextBytes atEnd { text.size(), text.size() };
    if (tokenIndex < 0 || size_t(tokenIndex) >= draft.records().size())
        return atEnd;
    size_t start = bytesBefore(draft);
    for (int i = 0; i < tokenIndex; ++i)
        start += draft.records()[size_t(i)].bytes.size();
    const size_t size = draft.records()[size_t(tokenIndex)].bytes.size();
    if (size == 0 || start >= text.size())
        return atEnd;
    TextBytes place { start, std::min(start + size, text.size()) };
    while (place.start > 0 && isInsideCharacter(text, place.start))
        --place.start;
    while (isInsideCharacter(text, place.end))
        ++place.end;
    return place;
}

} // namespace app
