#include "app/window_options.h"

#include <filesystem>

namespace app {

std::optional<WindowOptions> windowOptions(const std::vector<std::string>& words)
{
    if (words.empty())
        return WindowOptions {};
    if (words[0] == "--model" && words.size() == 2)
        return WindowOptions { words[1] };
    // A file manager hands over a path and nothing else.
    std::error_code ignored;
    const bool isFile
        = words[0].ends_with(".gguf") || std::filesystem::is_regular_file(words[0], ignored);
    if (words.size() == 1 && isFile && !words[0].starts_with("-"))
        return WindowOptions { words[0] };
    return std::nullopt;
}

} // namespace app
