#pragma once

#include "ui/markdown/markdown_block.h"

#include <string_view>

namespace ui {

/// A place in the text of blocks: position counts UTF-16 units of the block's text.
struct TextPlace {
    size_t block = 0;
    int position = 0;
    auto operator<=>(const TextPlace&) const = default;
};

/// A stretch of Markdown source that is shown, and where it is shown.
struct SourceSpan {
    TextPlace place;
    size_t sourceStart = 0; ///< bytes
    size_t sourceSize = 0;

    size_t sourceEnd() const { return sourceStart + sourceSize; }
};

/// A stretch of Markdown source, in bytes.
struct SourceRange {
    size_t start = 0;
    size_t end = 0; ///< exclusive
};

/// Where it is shown.
struct PlaceRange {
    TextPlace start;
    TextPlace end; ///< start where nothing of it is shown

    bool operator==(const PlaceRange&) const = default;
};

/// Where bytes of a Markdown source stand in the blocks that readMarkdown() makes of it. Markup
/// itself is shown nowhere: its place is that of the text after it, or else of the text before.
/// Made when it is asked for; reads the whole source once.
class SourceMap {
public:
    explicit SourceMap(std::string_view source);

    TextPlace placeOfStart(size_t sourceOffset) const;
    /// Of the last shown byte before the offset: its end.
    TextPlace placeOfEnd(size_t sourceOffset) const;
    /// Of many stretches, each starting and ending no earlier than the one before: reads the source
    /// once.
    std::vector<PlaceRange> placesOf(const std::vector<SourceRange>& ranges) const;

private:
    TextPlace placeIn(const SourceSpan& span, size_t sourceOffset) const;

    std::string_view m_source; ///< borrowed
    std::vector<SourceSpan> m_spans; ///< in the order of the source
};

} // namespace ui
