#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// How json.dumps is asked to write.
struct JsonTextOptions {
    bool escapeNonAscii = false;
    std::optional<std::string> indent; ///< of one level; none writes one line
    std::string itemSeparator = ", ";
    std::string keySeparator = ": ";
    bool sortKeys = false;
};

/// The value as JSON, as Python's json.dumps writes it; texts keep their origins.
/// Error: "a Undefined cannot be written as JSON".
Result<Text> jsonText(Meter& meter, const Value& value, const JsonTextOptions& options);

} // namespace engine::jinja
