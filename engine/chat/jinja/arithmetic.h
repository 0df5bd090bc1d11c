#pragma once

#include "engine/chat/jinja/syntax.h"
#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// a op b as Python computes it on 64-bit ints, floats, strings and lists.
/// Errors: types that do not go together, division by zero, an int past 64 bits.
Result<Value> applyArithmetic(Meter& meter, ArithmeticOperator op, const Value& a, const Value& b);

Result<Value> negated(const Value& value);
/// +value: an error when it is no number.
Result<Value> unchangedNumber(const Value& value);

/// The text, this many times.
Result<Value> repeated(Meter& meter, const Text& text, int64_t count);

} // namespace engine::jinja
