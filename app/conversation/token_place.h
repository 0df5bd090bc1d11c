#pragma once

#include "app/conversation/draft.h"

namespace app {

/// A stretch of a draft's released text.
struct TextBytes {
    size_t start = 0;
    size_t end = 0; ///< exclusive

    bool operator==(const TextBytes&) const = default;
};

/// Where a token stands in the text its run released, widened to whole characters. A token without
/// text (an end token), or whose text was not released, is the empty place at the end.
TextBytes textOfToken(const Draft& draft, int tokenIndex);

} // namespace app
