#include "app/compare/json_in_text.h"

#include "app/runs/json_document.h"

namespace app {

namespace {
    using nlohmann::json;

    /// What stands between the first pair of lines of three backquotes.
    std::string_view fenced(std::string_view text)
    {
        constexpr std::string_view kFence = "```";
        const size_t open = text.find(kFence);
        if (open == text.npos)
            return {};
        const size_t start = text.find('\n', open);
        if (start == text.npos)
            return {};
        const size_t end = text.find(kFence, start);
        return end == text.npos ? std::string_view() : text.substr(start + 1, end - start - 1);
    }
}

std::optional<json> jsonInText(std::string_view text)
{
    if (auto whole = parsedJson<json>(text))
        return whole;
    const std::string_view inside = fenced(text);
    return inside.empty() ? std::nullopt : parsedJson<json>(inside);
}

} // namespace app
