#include "ui/markdown/markdown_reader.h"

#include "ui/markdown/definition_guard.h"
#include "ui/markdown/markdown_builder.h"

#include <algorithm>

namespace ui {

namespace {
    MarkdownReading readPlain(std::string_view source)
    {
        MarkdownReading reading;
        MarkdownBlock block;
        block.kind = BlockKind::Plain;
        block.content.text = QString::fromUtf8(source.data(), qsizetype(source.size()));
        reading.blocks.push_back(std::move(block));
        return reading;
    }

    size_t lineStartBefore(std::string_view text, size_t offset)
    {
        const size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
        return newline == std::string_view::npos ? 0 : newline + 1;
    }

    bool isBlank(std::string_view line)
    {
        return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
    }

    bool opensFence(std::string_view line)
    {
        return line.starts_with("```") || line.starts_with("~~~");
    }

    /// The start of a top-level block's first line, when that is certain and the line is whole.
    std::optional<size_t> certainStart(std::string_view text, const TopLevelBlock& block)
    {
        if (!block.firstTextOffset)
            return std::nullopt;
        const size_t line = lineStartBefore(text, *block.firstTextOffset);
        // An unfinished line may still turn into something else ("-" into "- item").
        if (text.find('\n', *block.firstTextOffset) == std::string_view::npos || line == 0)
            return std::nullopt;
        const size_t previous = lineStartBefore(text, line - 1);
        const std::string_view previousLine = text.substr(previous, line - previous);
        if (block.kind == TopLevelBlock::Kind::Fence)
            return opensFence(previousLine) ? std::optional(previous) : std::nullopt;
        // Only without indentation is a line sure to be read alike with and without what precedes
        // it.
        const bool isIndented = text[line] == ' ' || text[line] == '\t';
        return isBlank(previousLine) && !isIndented ? std::optional(line) : std::nullopt;
    }
}

bool hasOverlongMarkdownLine(std::string_view source)
{
    size_t lineStart = 0;
    while (source.size() - lineStart > kLongestMarkdownLine) {
        const size_t lineEnd = source.find('\n', lineStart);
        if (std::min(lineEnd, source.size()) - lineStart > kLongestMarkdownLine)
            return true;
        if (lineEnd == std::string_view::npos)
            return false;
        lineStart = lineEnd + 1;
    }
    return false;
}

MarkdownReading readMarkdown(std::string_view source)
{
    if (hasOverlongMarkdownLine(source))
        return readPlain(source);
    const GuardedMarkdown guarded = guardDefinitions(source);

    MarkdownBuilder builder(guarded.text);
    if (!builder.parse())
        return readPlain(source);

    MarkdownReading reading;
    const std::vector<TopLevelBlock>& topLevel = builder.topLevelBlocks();
    for (size_t i = topLevel.size(); i-- > 1;) {
        const auto start = certainStart(guarded.text, topLevel[i]);
        if (!start || *start == 0)
            continue;
        reading.lastCut = MarkdownCut { guarded.sourceOffset(*start), topLevel[i].firstBlock };
        break;
    }
    reading.blocks = builder.takeBlocks();
    return reading;
}

QString withoutBidiControls(QString text)
{
    text.removeIf([](QChar c) {
        return (c >= QChar(0x202A) && c <= QChar(0x202E))
            || (c >= QChar(0x2066) && c <= QChar(0x2069));
    });
    return text;
}

} // namespace ui
