#pragma once

#include <optional>
#include <string>
#include <vector>

namespace app {

/// What a start of the window may be told.
struct WindowOptions {
    std::string modelPath; ///< "" = the model used last

    bool operator==(const WindowOptions&) const = default;
};

/// The options when these words ask for the window: none at all, a file, or --model FILE.
/// None when they are something else (a command, --help).
std::optional<WindowOptions> windowOptions(const std::vector<std::string>& words);

} // namespace app
