#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace app {

/// Whose words a stretch of a formatted prompt is.
enum class PromptOrigin {
    Unknown, ///< the template changed a text, or nobody noted it
    Template, ///< role markers, and what the template says by itself
    System,
    Typed, ///< by a person, as a message or on a page of plain text
    Answer, ///< an earlier one of the chat
    Source, ///< a source text, with the lines that name and fence it
};
inline constexpr int kPromptOriginCount = int(PromptOrigin::Source) + 1;

/// "template", ... : the JSON name.
constexpr const char* promptOriginName(PromptOrigin origin)
{
    switch (origin) {
    case PromptOrigin::Template:
        return "template";
    case PromptOrigin::System:
        return "system";
    case PromptOrigin::Typed:
        return "typed";
    case PromptOrigin::Answer:
        return "answer";
    case PromptOrigin::Source:
        return "source";
    case PromptOrigin::Unknown:
        break;
    }
    return "unknown";
}

/// A stretch of a formatted prompt that has one origin.
struct RecordedSpan {
    PromptOrigin origin = PromptOrigin::Unknown;
    size_t promptStart = 0; ///< bytes
    size_t promptEnd = 0; ///< exclusive
    int message = -1; ///< of the record's messages; -1: of none, or not known

    bool operator==(const RecordedSpan&) const = default;
};
/// In order, without gaps. None: not observed.
using RecordedSpans = std::optional<std::vector<RecordedSpan>>;

} // namespace app
