#include "engine/chat/template_markers.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr size_t kMaxMarkerBytes = 80;

    bool isTurnWord(std::string_view name)
    {
        constexpr std::string_view kWords[] = { "s", "/s", "bos", "eos", "sop" };
        return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords)
            || name.find("turn") != std::string_view::npos
            || name.find("_of_") != std::string_view::npos;
    }

    /// The inside of "<...>": bars at one of its ends (also the full-width ones), or a turn word.
    bool isAngleName(std::string_view name)
    {
        const bool hasBar = name.starts_with('|') || name.ends_with('|') || name.starts_with("｜")
            || name.ends_with("｜");
        return hasBar ? name.size() > 1 : isTurnWord(name);
    }

    /// The inside of "[...]": capitals, perhaps behind a slash.
    bool isBracketName(std::string_view name)
    {
        if (name.starts_with('/'))
            name.remove_prefix(1);
        return name.size() > 1 && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'A' && c <= 'Z') || c == '_';
        });
    }

    /// The marker that begins at this offset; empty when none does.
    std::string_view markerAt(std::string_view text, size_t begin)
    {
        const char closing = text[begin] == '<' ? '>' : ']';
        const size_t end = text.find_first_of("<>[] \n\t", begin + 1);
        if (end == std::string_view::npos || text[end] != closing || end - begin > kMaxMarkerBytes)
            return {};
        const std::string_view name = text.substr(begin + 1, end - begin - 1);
        const bool isMarker = closing == '>' ? isAngleName(name) : isBracketName(name);
        return isMarker ? text.substr(begin, end + 1 - begin) : std::string_view();
    }
}

std::vector<std::string> roleMarkers(const RenderedPrompt& prompt)
{
    std::vector<std::string> markers;
    for (const TextSpan& span : prompt.spans) {
        if (span.origin != TextOrigin::Template)
            continue;
        const std::string_view text = span.text;
        for (size_t at = text.find_first_of("<["); at != std::string_view::npos;
             at = text.find_first_of("<[", at + 1)) {
            const std::string marker(markerAt(text, at));
            if (!marker.empty()
                && std::find(markers.begin(), markers.end(), marker) == markers.end())
                markers.push_back(marker);
        }
    }
    return markers;
}

bool isBracketMarker(const std::string& marker) { return marker.starts_with('['); }

} // namespace engine
