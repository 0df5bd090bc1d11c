#pragma once

#include "ui/markdown/markdown_block.h"

#include <optional>
#include <string>
#include <string_view>

namespace ui {

/// A place where Markdown can be cut: what stands before it can no longer change, whatever follows.
struct MarkdownCut {
    size_t sourceOffset = 0; ///< bytes
    size_t blockCount = 0; ///< blocks before it

    bool operator==(const MarkdownCut&) const = default;
};

struct MarkdownReading {
    std::vector<MarkdownBlock> blocks;
    std::optional<MarkdownCut> lastCut;
};

/// Reads Markdown (CommonMark with tables, strikethrough, task lists and bare links) into blocks.
/// HTML, entities and link definitions are shown as they were written; images become their
/// source text. Nothing is ever fetched. Over-long lines and over-large tables become plain text.
/// source: UTF-8. Any thread.
MarkdownReading readMarkdown(std::string_view source);

/// Such a source is one block of plain text.
bool hasOverlongMarkdownLine(std::string_view source);

constexpr size_t kLongestMarkdownLine = 64 * 1024;
constexpr size_t kMostTableColumns = 64;
constexpr size_t kMostTableRows = 1000;
constexpr size_t kDeepestNesting = 16;

/// Without the characters that reorder text invisibly (U+202A-202E, U+2066-2069).
QString withoutBidiControls(QString text);

} // namespace ui
