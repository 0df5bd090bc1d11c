#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// Python's ==. Numbers compare across their types, lists and dictionaries by content.
Result<bool> valuesEqual(Meter& meter, const Value& a, const Value& b);

/// Negative, zero or positive as a is before, equal to or after b.
/// Error: "'<' not supported between instances of 'str' and 'int'".
Result<int> orderOf(Meter& meter, const Value& a, const Value& b);

/// Python's `item in container`.
Result<bool> contains(Meter& meter, const Value& container, const Value& item);

} // namespace engine::jinja
