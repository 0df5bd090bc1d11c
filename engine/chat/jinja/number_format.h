#pragma once

#include "engine/chat/jinja/text_operations.h"

namespace engine::jinja {

/// What stands between "%" or "{:" and the end of a conversion.
struct FormatSpec {
    std::string fill = " ";
    char alignment = 0; ///< '<', '>', '^', '=' or 0 for the type's own
    char sign = '-';
    bool alternate = false; ///< "#"
    int64_t width = 0;
    bool thousands = false;
    std::optional<int64_t> precision;
    char type = 0; ///< 's', 'd', 'x', 'f', ... or 0
};

/// A number or text in this format. Error: a type letter that does not suit the value.
Result<Text> formatted(Meter& meter, const Value& value, const FormatSpec& spec);

} // namespace engine::jinja
