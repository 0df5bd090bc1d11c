#include "ui/markdown/definition_guard.h"

#include <algorithm>

namespace ui {

namespace {
    bool isSpace(char c) { return c == ' ' || c == '\t'; }
    bool isDigit(char c) { return c >= '0' && c <= '9'; }

    /// Length of a list marker with its space at the start of text, 0 = none.
    size_t listMarkerLength(std::string_view text)
    {
        size_t length = 0;
        while (length < text.size() && length < 9 && isDigit(text[length]))
            ++length;
        const std::string_view markers = length ? ".)" : "-+*";
        if (length >= text.size() || markers.find(text[length]) == std::string_view::npos)
            return 0;
        ++length;
        return length < text.size() && isSpace(text[length]) ? length + 1 : 0;
    }

    bool isTaskBox(std::string_view text)
    {
        return text.size() > 3 && text[2] == ']' && isSpace(text[3])
            && (text[1] == ' ' || text[1] == 'x' || text[1] == 'X');
    }

    /// Where a '[' opens the content of this line, or npos.
    size_t openingBracket(std::string_view line)
    {
        size_t i = 0;
        bool afterListMarker = false;
        while (i < line.size()) {
            if (isSpace(line[i])) {
                ++i;
            } else if (line[i] == '>') {
                ++i;
                afterListMarker = false;
            } else if (const size_t length = listMarkerLength(line.substr(i))) {
                i += length;
                afterListMarker = true;
            } else {
                break;
            }
        }
        if (i >= line.size() || line[i] != '[' || (afterListMarker && isTaskBox(line.substr(i))))
            return std::string_view::npos;
        return i;
    }
}

size_t GuardedMarkdown::sourceOffset(size_t offset) const
{
    const auto before = std::lower_bound(guards.begin(), guards.end(), offset);
    return offset - size_t(before - guards.begin()) * kDefinitionGuard.size();
}

GuardedMarkdown guardDefinitions(std::string_view source)
{
    GuardedMarkdown guarded;
    guarded.text.reserve(source.size() + 64);
    size_t lineStart = 0;
    while (lineStart < source.size()) {
        const size_t newline = source.find('\n', lineStart);
        const size_t lineEnd = newline == std::string_view::npos ? source.size() : newline + 1;
        const std::string_view line = source.substr(lineStart, lineEnd - lineStart);
        const size_t bracket = openingBracket(line);
        if (bracket == std::string_view::npos) {
            guarded.text += line;
        } else {
            guarded.text += line.substr(0, bracket);
            guarded.guards.push_back(guarded.text.size());
            guarded.text += kDefinitionGuard;
            guarded.text += line.substr(bracket);
        }
        lineStart = lineEnd;
    }
    return guarded;
}

} // namespace ui
