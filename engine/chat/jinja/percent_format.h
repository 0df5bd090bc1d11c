#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// format % values as Python does it: values is a tuple, a dict for "%(name)s", or one value.
Result<Value> percentFormat(Meter& meter, const Text& format, const Value& values);

} // namespace engine::jinja
