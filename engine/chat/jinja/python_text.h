#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// str(value) as Python writes it: "True", "None", "[1, 'a']"; nothing for an undefined value.
/// Error for values without a written form of their own (macros, iterators, namespaces).
Result<Text> pythonText(Meter& meter, const Value& value);

/// repr(value): strings in quotes.
Result<Text> pythonRepr(Meter& meter, const Value& value);

/// repr of a float: "1.0", "1e-07", "inf".
std::string floatText(double value);

} // namespace engine::jinja
