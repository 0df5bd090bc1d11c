#pragma once

#include "ui/markdown/markdown_reader.h"

namespace ui {

/// Markdown that grows at its end: blocks that can no longer change are closed and never read
/// again, only the open tail is. At every moment the blocks equal those of reading the whole source
/// at once. GUI thread.
class MarkdownStream {
public:
    /// text: whole UTF-8 characters.
    void append(std::string_view text);

    const std::string& source() const { return m_source; }
    const std::vector<MarkdownBlock>& blocks() const { return m_blocks; }
    /// Blocks before this index never change again.
    size_t closedCount() const { return m_closedCount; }
    /// Where the source of the blocks that may still change begins.
    size_t tailOffset() const { return m_tailOffset; }

private:
    void readTail();
    bool appendToOpenFence(std::string_view text);

    std::string m_source;
    std::vector<MarkdownBlock> m_blocks;
    size_t m_closedCount = 0;
    size_t m_tailOffset = 0; ///< in m_source
    char m_openFence = 0; ///< the character of a fence that is all of the tail and still open
};

} // namespace ui
