#include "engine/chat/jinja/loop_state.h"

namespace engine::jinja {

Value loopAttribute(Meter& meter, const LoopState& loop, std::string_view name)
{
    const auto index = int64_t(loop.index);
    const auto length = int64_t(loop.items.size());
    if (name == "index")
        return Value(index + 1);
    if (name == "index0")
        return Value(index);
    if (name == "revindex")
        return Value(length - index);
    if (name == "revindex0")
        return Value(length - index - 1);
    if (name == "first")
        return Value(index == 0);
    if (name == "last")
        return Value(index + 1 == length);
    if (name == "length")
        return Value(length);
    if (name == "depth")
        return Value(int64_t(loop.nesting) + 1);
    if (name == "depth0")
        return Value(int64_t(loop.nesting));
    if (name == "previtem")
        return index > 0 ? loop.items[loop.index - 1]
                         : makeUndefined(meter, "there is no previous item");
    if (name == "nextitem")
        return index + 1 < length ? loop.items[loop.index + 1]
                                  : makeUndefined(meter, "there is no next item");
    return makeUndefined(meter, "'loop' has no attribute '" + std::string(name) + "'");
}

} // namespace engine::jinja
