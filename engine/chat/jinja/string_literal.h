#pragma once

#include <string>
#include <string_view>

namespace engine::jinja {

/// The characters that a quoted literal stands for, given what lies between its quotes.
/// Escapes are Python's; an unknown one stays as it is written.
std::string unescapeLiteral(std::string_view written);

} // namespace engine::jinja
