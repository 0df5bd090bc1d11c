#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

/// What a for tag would visit: items, keys of a dictionary, characters of a string; nothing for an
/// undefined value. An Iterator is used up. Error: "'int' object is not iterable".
Result<std::vector<Value>> elementsOf(Meter& meter, const Value& value);

/// len(value); none when the type has no length.
std::optional<int64_t> lengthOf(const Value& value);

/// The value of a key; null when absent.
Result<const Value*> findKey(Meter& meter, const Dict& dict, const Value& key);
const Value* findKey(const Dict& dict, std::string_view key);
/// Replaces the value of a key, or appends both. Error: a key that Python could not hash.
Result<void> putKey(Meter& meter, Dict& dict, Value key, Value value);
/// Whether Python could use the value as a key.
bool isHashable(const Value& value);

/// The character at this code point index, as a Text of its own.
Text characterAt(const Text& text, size_t index);

} // namespace engine::jinja
