#pragma once

#include "engine/base/result.h"
#include "engine/chat/jinja/token.h"

#include <string_view>
#include <vector>

namespace engine::jinja {

/// Cuts a template into tokens; the last one is an End. Whitespace control as transformers sets it:
/// trim_blocks (a tag takes the newline behind it), lstrip_blocks (a tag at the start of a line
/// takes the blanks before it), "-" and "+" beside a tag, one newline at the end dropped, CR LF
/// read as LF. Errors: BadTemplate "line 3: ...".
Result<std::vector<Token>> tokenize(std::string_view source);

} // namespace engine::jinja
