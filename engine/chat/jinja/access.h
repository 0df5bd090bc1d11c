#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// base.name: methods come before keys of a dictionary. Undefined when there is no such attribute;
/// an error only when the base itself is undefined.
Result<Value> attributeOf(Meter& meter, const Value& base, const std::string& name);

/// base[key]: items come before attributes.
Result<Value> itemOf(Meter& meter, const Value& base, const Value& key);

/// base[start:stop:step]; none for a bound that was left out.
struct SliceBounds {
    Value start;
    Value stop;
    Value step;
};
Result<Value> sliceOf(Meter& meter, const Value& base, const SliceBounds& bounds);

} // namespace engine::jinja
