#include "engine/chat/default_system_text.h"

#include "engine/chat/template_markers.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace engine {

namespace {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::string kSystemProbe = "A system text to look for.";
    const std::string kUserProbe = "A question to look for.";

    std::string trimmed(std::string_view text)
    {
        const size_t begin = text.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos)
            return {};
        return std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
    }

    /// What text has in the place of a system message, when behind it all goes on as in the other
    /// rendering. Blanks behind the marker that ends the system turn may differ.
    std::optional<std::string> textInPlace(std::string_view text, std::string_view behind)
    {
        if (text.ends_with(behind))
            return trimmed(text.substr(0, text.size() - behind.size()));
        if (behind.empty())
            return std::nullopt;
        const size_t markerEnd = std::min(behind.find('>'), behind.size() - 1) + 1;
        const std::string_view marker = behind.substr(0, markerEnd);
        const size_t found = text.find(marker);
        if (!marker.starts_with('<') || found == std::string_view::npos)
            return std::nullopt;
        if (trimmed(text.substr(found + markerEnd)) != trimmed(behind.substr(markerEnd)))
            return std::nullopt;
        return trimmed(text.substr(0, found));
    }

    /// What stands behind the last role marker, without the name of a role.
    std::string textBehindMarkers(const std::string& text)
    {
        RenderedPrompt prompt;
        prompt.spans.push_back({ text, TextOrigin::Template });
        size_t begin = 0;
        for (const std::string& marker : roleMarkers(prompt))
            begin = std::max(begin, text.rfind(marker) + marker.size());
        const std::string tail = trimmed(std::string_view(text).substr(begin));
        return tail == "system" || tail == "developer" ? std::string() : tail;
    }
}

std::string defaultSystemText(const ChatTemplate& chatTemplate, RenderRequest request)
{
    const nlohmann::ordered_json question = { { "role", "user" }, { "content", kUserProbe } };
    request.addGenerationPrompt = true;
    request.continueFinalMessage = false;
    request.messages = nlohmann::ordered_json::array({ question });
    const auto without = chatTemplate.render(request);
    request.messages = nlohmann::ordered_json::array(
        { { { "role", "system" }, { "content", kSystemProbe } }, question });
    const auto with = chatTemplate.render(request);
    if (!without || !with)
        return {};

    // Both are "before, system text, behind"; what stands in the place of the probe is the default.
    const std::string probed = with->text();
    const std::string own = without->text();
    const size_t probe = probed.find(kSystemProbe);
    if (probe == std::string::npos)
        return {};
    const std::string before = probed.substr(0, probe);
    const std::string behind = probed.substr(probe + kSystemProbe.size());
    if (!own.starts_with(before))
        return {};
    const auto inPlace = textInPlace(std::string_view(own).substr(before.size()), behind);
    if (!inPlace)
        return {};
    if (!inPlace->empty())
        return *inPlace;
    // The template writes a system turn in any case: its fixed beginning is the default.
    return textBehindMarkers(before);
}

} // namespace engine
