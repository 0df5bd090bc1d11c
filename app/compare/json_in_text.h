#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace app {

/// The JSON of an answer: all of it, or what stands in its first code fence. None: no whole JSON.
std::optional<nlohmann::json> jsonInText(std::string_view text);

} // namespace app
