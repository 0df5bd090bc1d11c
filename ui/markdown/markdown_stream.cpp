#include "ui/markdown/markdown_stream.h"

#include <algorithm>

namespace ui {

namespace {
    bool mayClose(std::string_view line, char fence)
    {
        const size_t start = line.find_first_not_of(" \t");
        return start != std::string_view::npos && line[start] == fence;
    }

    bool anyLineMayClose(std::string_view lines, char fence)
    {
        for (size_t start = 0; start <= lines.size();) {
            const size_t end = std::min(lines.find('\n', start), lines.size());
            if (mayClose(lines.substr(start, end - start), fence))
                return true;
            start = end + 1;
        }
        return false;
    }

    /// The character of the fence that opens this text and holds all of it, 0 = none.
    char openFenceOf(std::string_view text)
    {
        if (!text.starts_with("```") && !text.starts_with("~~~"))
            return 0;
        const size_t firstLineEnd = text.find('\n');
        if (firstLineEnd == std::string_view::npos)
            return 0;
        return anyLineMayClose(text.substr(firstLineEnd + 1), text[0]) ? char(0) : text[0];
    }
}

void MarkdownStream::append(std::string_view text)
{
    if (text.empty())
        return;
    if (appendToOpenFence(text))
        return;
    m_source += text;
    readTail();
}

void MarkdownStream::readTail()
{
    MarkdownReading reading = readMarkdown(std::string_view(m_source).substr(m_tailOffset));
    m_blocks.resize(m_closedCount);
    std::move(reading.blocks.begin(), reading.blocks.end(), std::back_inserter(m_blocks));
    if (reading.lastCut) {
        m_closedCount += reading.lastCut->blockCount;
        m_tailOffset += reading.lastCut->sourceOffset;
    }
    const bool oneCodeBlock
        = m_blocks.size() == m_closedCount + 1 && m_blocks.back().kind == BlockKind::Code;
    m_openFence
        = oneCodeBlock ? openFenceOf(std::string_view(m_source).substr(m_tailOffset)) : char(0);
}

bool MarkdownStream::appendToOpenFence(std::string_view text)
{
    // Long code is the common long block, so its lines are added without reading the fence again.
    // A line that might close it, or a character that reading would change, takes the long way.
    if (!m_openFence || text.find_first_of(std::string_view("\r\t\0", 3)) != std::string_view::npos)
        return false;
    const size_t lineStart = m_source.rfind('\n') + 1;
    const std::string line
        = m_source.substr(lineStart) + std::string(text.substr(0, text.find('\n')));
    const size_t newline = text.find('\n');
    const std::string_view rest
        = newline == text.npos ? std::string_view() : text.substr(newline + 1);
    if (line.size() > kLongestMarkdownLine || line.find('\t') != line.npos
        || mayClose(line, m_openFence) || anyLineMayClose(rest, m_openFence))
        return false;
    // The block's text goes without its last line break: it is known from the source instead.
    QString added = QString::fromUtf8(text.data(), qsizetype(text.size()));
    const bool isFirstLine = lineStart == m_source.find('\n', m_tailOffset) + 1;
    if (lineStart == m_source.size() && !isFirstLine)
        added.prepend(QLatin1Char('\n'));
    if (added.endsWith(QLatin1Char('\n')))
        added.chop(1);
    m_blocks.back().content.text += withoutBidiControls(added);
    m_source += text;
    return true;
}

} // namespace ui
