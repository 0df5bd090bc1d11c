#include "app/conversation/continuation.h"

#include <algorithm>

namespace app {

namespace {
    constexpr size_t kMostBreakTokens = 4; // a blank and a line break, and one to look behind them
}

engine::TokenIds continuationIds(const engine::Tokenizer& tokenizer, const std::string& text)
{
    engine::TokenIds ids = tokenizer.encodeText(text);
    if (tokenizer.decode(ids) == text)
        return ids;
    // Behind a line break nothing is put before a word: what the break itself became goes again.
    const engine::TokenIds behindBreak = tokenizer.encodeText("\n" + text);
    for (size_t start = 0; start < std::min<size_t>(behindBreak.size(), kMostBreakTokens); ++start)
        if (tokenizer.decode(std::span(behindBreak).subspan(start)) == text)
            return { behindBreak.begin() + ptrdiff_t(start), behindBreak.end() };
    return ids; // bytes that are no UTF-8
}

} // namespace app
