#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// Markdown with an invisible guard before every '[' that starts a line, so that no line can be
/// read as a link definition: those would vanish from view and change blocks already shown.
struct GuardedMarkdown {
    std::string text;
    std::vector<size_t> guards; ///< offsets of the guards in text, ascending

    size_t sourceOffset(size_t offset) const;
};

GuardedMarkdown guardDefinitions(std::string_view source);

/// U+FDD0, a noncharacter: it stands for nothing, so removing it loses nothing.
constexpr std::string_view kDefinitionGuard = "\xEF\xB7\x90";

} // namespace ui
