#pragma once

#include "engine/chat/jinja/native.h"

namespace engine::jinja {

/// format.format(...) as Python does it: "{}", "{0}", "{name}", "{0.attribute[key]}", "{:>8.2f}",
/// "{!r}". Fields inside a format spec are not supported (BadTemplate).
Result<Value> strFormat(Meter& meter, const Text& format, const Arguments& arguments);

} // namespace engine::jinja
