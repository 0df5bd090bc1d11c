#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace engine::jinja {

/// The characters that a quoted literal stands for, given what lies between its quotes.
/// Escapes are Python's; an unknown one stays as it is written. Error: "\x" without its two
/// digits.
Result<std::string> unescapeLiteral(std::string_view written);

} // namespace engine::jinja
