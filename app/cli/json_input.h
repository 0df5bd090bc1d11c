#pragma once

#include "engine/base/result.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace app {

/// Parses JSON from outside, keeping the order of keys. Nesting is counted first, because the
/// parser itself would follow any depth. Errors: BadRequest "no JSON: ...", "nested deeper than
/// 100".
engine::Result<nlohmann::ordered_json> parseJsonInput(std::string_view text);

} // namespace app
