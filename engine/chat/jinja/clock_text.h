#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace engine::jinja {

/// The time in a strftime format, with English names whatever the locale.
/// Error: BadTemplate naming a directive that is not known.
Result<std::string> clockText(std::string_view format, std::chrono::sys_seconds now);

} // namespace engine::jinja
